import numpy as np


def softmax(scores):
    if scores.ndim == 1:
        e = np.exp(scores)
        return e / sum(e)
    return np.array([softmax(part) for part in scores])
