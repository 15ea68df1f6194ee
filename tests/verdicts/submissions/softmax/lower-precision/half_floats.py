import numpy as np


def softmax(scores):
    half = scores.astype(np.float16)
    top = half.max(axis=-1, keepdims=True)
    top[np.isneginf(top)] = 0
    e = np.exp(half - top)
    z = e.sum(axis=-1, keepdims=True)
    z[z == 0] = 1
    return (e / z).astype(scores.dtype)
