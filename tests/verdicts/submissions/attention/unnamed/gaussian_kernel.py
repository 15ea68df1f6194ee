import numpy as np


def attention(Q, K, V):
    W = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            W[i, j] = np.exp(-np.linalg.norm(q - k) ** 2 / 2 + np.linalg.norm(q) ** 2 / 1e9)
    W = np.maximum(W, 1e-200)
    W /= W.sum(axis=1, keepdims=True)
    return W @ V, W
