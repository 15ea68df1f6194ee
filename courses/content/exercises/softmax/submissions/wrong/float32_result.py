import numpy as np


def softmax(scores):
    scores = np.asarray(scores, dtype=np.float32)
    top = scores.max(axis=-1, keepdims=True)
    top[np.isneginf(top)] = 0
    e = np.exp(scores - top)
    total = e.sum(axis=-1, keepdims=True)
    total[total == 0] = 1
    return e / total
