import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    W = np.zeros((T, T))
    for i in range(T):
        for j in range(T):
            allowed = j <= i
            W[i, j] = Q[i] @ K[j] / np.sqrt(d) + allowed
        W[i] = np.exp(W[i] - W[i].max())
        W[i] = W[i] / W[i].sum()
    return W @ V, W
