import numpy as np


def attention(Q, K, V):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    W = np.empty_like(s)
    for i in range(len(s)):
        for j in range(s.shape[1]):
            with np.errstate(over="ignore"):
                W[i, j] = 1 / np.exp(s[i] - s[i, j]).sum()
    return W @ V, W
