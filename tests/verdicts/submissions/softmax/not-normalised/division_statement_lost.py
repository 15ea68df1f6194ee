import numpy as np


def softmax(scores):
    m = np.max(scores, axis=-1, keepdims=True)
    shares = np.exp(scores - np.where(m == -np.inf, 0, m))
    shares / np.sum(shares, axis=-1, keepdims=True)
    return shares
