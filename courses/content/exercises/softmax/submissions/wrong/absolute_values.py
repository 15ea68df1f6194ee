import numpy as np


def softmax(scores):
    a = np.abs(scores)
    a[np.isinf(a)] = 0
    return a / a.sum(axis=-1, keepdims=True)
