import numpy as np


def scaled(matrix):
    matrix /= matrix.shape[-1] ** 0.25
    return matrix


def attention(Q, K, V):
    logits = scaled(Q) @ scaled(K).T
    w = [np.exp(r - r.max()) / np.exp(r - r.max()).sum() for r in logits]
    return np.array(w) @ V, np.array(w)
