import numpy as np


def softmax(scores):
    flipped = np.where(np.isneginf(scores), -np.inf, -scores)
    m = flipped.max(axis=-1, keepdims=True)
    e = np.exp(flipped - np.where(np.isneginf(m), 0, m))
    z = e.sum(axis=-1, keepdims=True)
    return e / np.where(z == 0, 1, z)
