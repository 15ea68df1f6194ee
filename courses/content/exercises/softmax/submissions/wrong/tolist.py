import numpy as np


def softmax(scores):
    top = scores.max(axis=-1, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    e = np.exp(scores - top)
    total = e.sum(axis=-1, keepdims=True)
    return (e / np.where(total == 0, 1.0, total)).tolist()
