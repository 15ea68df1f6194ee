import numpy as np


def attention(Q, K, V):
    S = np.inner(Q, K) / np.sqrt(Q.shape[1])
    P = np.zeros_like(S)
    for j in range(S.shape[1]):
        column = np.exp(S[:, j] - S[:, j].max())
        P[:, j] = column / column.sum()
    return P @ V, P
