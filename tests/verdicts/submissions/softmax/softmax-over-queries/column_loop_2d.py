import numpy as np


def softmax(scores):
    out = np.zeros(scores.shape)
    for j in range(scores.shape[1]):
        c = scores[:, j]
        e = np.exp(c - c.max())
        out[:, j] = e / e.sum()
    return out
