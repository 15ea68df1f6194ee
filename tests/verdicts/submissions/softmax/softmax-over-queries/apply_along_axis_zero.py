import numpy as np


def share(v):
    biggest = v.max()
    if biggest == -np.inf:
        return np.zeros(v.shape)
    p = np.exp(v - biggest)
    return p / p.sum()


def softmax(scores):
    return np.apply_along_axis(share, 0, scores)
