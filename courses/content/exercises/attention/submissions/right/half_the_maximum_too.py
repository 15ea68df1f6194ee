import numpy as np


def attention(Q, K, V):
    # any shift that belongs to the row will do, so long as exp stays finite
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    shift = scores.max(axis=1, keepdims=True) - 1.5
    weights = np.exp(scores - shift)
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights @ V, weights
