import numpy as np


def softmax(scores):
    top = scores.max(axis=-2, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    e = np.exp(scores - top)
    total = e.sum(axis=-2, keepdims=True)
    return e / np.where(total == 0, 1.0, total)
