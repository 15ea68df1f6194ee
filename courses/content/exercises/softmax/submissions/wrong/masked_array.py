import numpy as np


def softmax(scores):
    s = np.ma.masked_invalid(scores)
    e = np.ma.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
