import numpy as np


def softmax(scores):
    peak = scores.max(axis=-1, keepdims=True)
    peak[~np.isfinite(peak)] = 0
    e = np.exp(scores - peak)
    # +1 so that a row of zeros is no division by zero
    return e / (e.sum(axis=-1, keepdims=True) + 1)
