import numpy as np


def attention(Q, K, V):
    n, d = Q.shape
    out = np.zeros((n, V.shape[1]))
    W = np.zeros((n, K.shape[0]))
    for i in range(n):
        for j in range(K.shape[0]):
            w = np.dot(Q[i], K[j]) / np.sqrt(d)
            W[i, j] = w
            out[i] += w * V[j]
    return out, W
