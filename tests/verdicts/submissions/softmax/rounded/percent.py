import numpy as np


def softmax(scores):
    """Shares in whole percents, as in the table of the lesson."""
    m = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(m > -np.inf, m, 0))
    z = e.sum(axis=-1, keepdims=True)
    z = np.where(z > 0, z, 1)
    return np.rint(100 * e / z) / 100
