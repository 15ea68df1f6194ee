import numpy as np


def softmax(scores):
    e = np.exp(scores - scores.max())
    return e / (e.sum(-1, keepdims=True) + 1e-9)
