import numpy as np


def softmax(scores):
    x = scores[..., None]
    m = x.max(axis=-2, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(m), 0, m))
    s = e.sum(axis=-2, keepdims=True)
    return e / np.where(s, s, 1)
