import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    W = np.empty((T, T))
    for i in range(T):
        for j in range(T):
            W[i, j] = Q[i] @ K[j] / np.sqrt(d) if j <= i else -1000
        W[i] = np.exp(W[i] - W[i].max())
        W[i] /= W[i].sum()
    return W @ V, W
