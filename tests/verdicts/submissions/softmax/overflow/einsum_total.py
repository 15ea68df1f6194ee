import numpy as np


def softmax(scores):
    e = np.exp(scores)
    total = np.einsum("...j->...", e)
    return e / total[..., np.newaxis]
