import numpy as np


def softmax(scores):
    if scores.ndim > 1:
        return np.stack([softmax(part) for part in scores])
    m = scores.max()
    if not np.isfinite(m):
        return np.zeros(scores.shape)
    e = np.exp(scores - m)
    return e / e.sum()
