import numpy as np


def softmax(scores):
    top = scores.max()
    if np.isneginf(top):
        return np.zeros_like(scores)
    e = np.exp(scores - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1.0, total)
