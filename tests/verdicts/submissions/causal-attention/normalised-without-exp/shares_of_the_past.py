import numpy as np


def causal_attention(Q, K, V):
    T = Q.shape[0]
    W = np.zeros((T, T))
    for t, q in enumerate(Q):
        s = K[: t + 1].dot(q) / np.sqrt(q.size)
        W[t, : t + 1] = s / np.sum(s)
    return W.dot(V), W
