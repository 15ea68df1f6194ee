import numpy as np


def softmax(scores):
    shares = scores
    top = shares.max(axis=-1, keepdims=True)
    np.exp(shares - np.where(np.isneginf(top), 0, top), out=shares)
    total = shares.sum(axis=-1, keepdims=True)
    shares /= np.where(total == 0, 1, total)
    return shares
