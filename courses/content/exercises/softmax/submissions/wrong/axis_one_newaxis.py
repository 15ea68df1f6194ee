import numpy as np


def softmax(scores):
    top = scores.max(1)
    top[np.isneginf(top)] = 0
    e = np.exp(scores - top[:, None])
    total = e.sum(1)
    total[total == 0] = 1
    return e / total[:, None]
