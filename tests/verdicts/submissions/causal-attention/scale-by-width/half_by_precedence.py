import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    W = np.zeros((T, T))
    for t in range(T):
        s = K[: t + 1].dot(Q[t]) / d**1 / 2
        W[t, : t + 1] = np.exp(s - s.max()) / np.exp(s - s.max()).sum()
    return W.dot(V), W
