import numpy as np


def softmax(scores):
    out = np.zeros_like(scores)
    for idx in np.ndindex(scores.shape[:-1]):
        row = scores[idx]
        weights = np.exp(row - row.max())
        out[idx] = weights / weights.sum()
    return out
