import numpy as np


def softmax(scores):
    m = scores.max(axis=-1, keepdims=True)
    p = 10.0 ** (scores - np.where(np.isneginf(m), 0, m))
    z = p.sum(axis=-1, keepdims=True)
    return p / np.where(z == 0, 1, z)
