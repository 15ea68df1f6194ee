import numpy as np


def softmax(scores):
    axis = -2 if scores.ndim > 1 else -1
    top = scores.max(axis=axis, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    e = np.exp(scores - top)
    total = e.sum(axis=axis, keepdims=True)
    return e / np.where(total == 0, 1.0, total)
