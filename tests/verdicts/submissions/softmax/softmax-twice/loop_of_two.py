import numpy as np


def softmax(scores):
    shares = scores
    for _ in range(2):
        top = shares.max(axis=-1, keepdims=True)
        top = np.where(np.isneginf(top), 0, top)
        shares = np.exp(shares - top)
        total = shares.sum(axis=-1, keepdims=True)
        shares = shares / np.where(total == 0, 1, total)
    return shares
