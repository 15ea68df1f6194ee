import numpy as np


def softmax(scores):
    s = scores.astype(np.float32)
    top = s.max(axis=-1, keepdims=True)
    top[np.isneginf(top)] = 0
    e = np.exp(s - top)
    total = e.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    return (e / total).astype(np.float64)
