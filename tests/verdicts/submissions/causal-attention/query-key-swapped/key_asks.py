import numpy as np


def causal_attention(Q, K, V):
    T, d = K.shape
    W = np.zeros((T, T))
    for i in range(T):
        s = Q[: i + 1] @ K[i] / np.sqrt(d)
        W[i, : i + 1] = np.exp(s - s.max())
        W[i] /= W[i].sum()
    return W @ V, W
