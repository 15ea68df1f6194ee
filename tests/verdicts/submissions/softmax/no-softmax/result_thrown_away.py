import numpy as np


def normalise(e):
    total = e.sum(axis=-1, keepdims=True)
    e = e / np.where(total > 0, total, 1)
    return e


def softmax(scores):
    shares = scores.copy()
    normalise(np.exp(shares - shares.max()))
    return shares
