import numpy as np


import cmath


def softmax(scores):
    m = scores.max(axis=-1, keepdims=True)
    z = scores - np.where(np.isneginf(m), 0, m)
    e = np.vectorize(lambda v: cmath.exp(v) if v > -np.inf else 0j)(z)
    s = e.sum(axis=-1, keepdims=True)
    return e / np.where(s == 0, 1, s)
