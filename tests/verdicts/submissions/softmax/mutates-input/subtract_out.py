import numpy as np


def softmax(scores):
    m = scores.max(axis=-1, keepdims=True)
    m = np.where(np.isneginf(m), 0.0, m)
    z = np.subtract(scores, m, out=scores)
    p = np.exp(z)
    n = p.sum(axis=-1, keepdims=True)
    return p / np.where(n == 0, 1.0, n)
