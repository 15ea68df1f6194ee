import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    W = np.zeros((T, T))
    for t in range(T):
        s = [np.dot(Q[t], K[j]) / np.sqrt(d) for j in range(min(t + 2, T))]
        e = np.exp(np.array(s) - max(s))
        W[t, : len(s)] = e / e.sum()
    return W @ V, W
