import numpy as np


def softmax(scores):
    m = np.where(np.isneginf(scores.max(axis=0)), 0, scores.max(axis=0))
    e = np.exp(scores - m)
    total = e.sum(axis=0)
    return e / np.where(total == 0, 1, total)
