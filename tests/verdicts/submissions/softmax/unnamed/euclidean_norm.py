import numpy as np


def softmax(scores):
    m = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isneginf(m), 0, m))
    norm = np.sqrt((e**2).sum(axis=-1, keepdims=True))
    return e / np.where(norm == 0, 1, norm)
