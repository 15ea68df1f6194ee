import numpy as np


def softmax(scores):
    centre = scores.mean(axis=-1, keepdims=True)
    centre = np.where(np.isfinite(centre), centre, 0)
    e = np.exp(scores - centre)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)
