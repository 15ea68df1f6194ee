import numpy as np


def softmax(scores):
    flat = np.atleast_2d(scores).reshape(-1, scores.shape[-1])
    top = flat.max(axis=-1, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    e = np.exp(flat - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1.0, total)
