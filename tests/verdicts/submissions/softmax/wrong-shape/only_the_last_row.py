import numpy as np


def softmax(scores):
    for row in scores.reshape(-1, scores.shape[-1]):
        top = row.max()
        e = np.exp(row - top) if np.isfinite(top) else np.zeros_like(row)
        shares = e / (e.sum() or 1.0)
    return shares
