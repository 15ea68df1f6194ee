import numpy as np


def softmax(scores):
    for row in scores.reshape(-1, scores.shape[-1]):
        e = np.exp(row - max(row.max(), -1e300))
        yield e / max(e.sum(), 1e-300)
