import numpy as np


def softmax(scores):
    low = scores.min(axis=-1, keepdims=True)
    low = np.where(np.isneginf(low), 0, low)
    e = np.exp(scores - low)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)
