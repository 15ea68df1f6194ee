import numpy as np


def softmax(scores):
    s = np.moveaxis(scores, -1, 0)
    m = s.max(axis=0)
    m = np.where(np.isneginf(m), 0.0, m)
    e = np.exp(s - m)
    z = e.sum(axis=0)
    z = np.where(z == 0.0, 1.0, z)
    return np.moveaxis(e / z, 0, -1)
