import numpy as np

EPS = 1e-12


def softmax(scores):
    top = np.maximum(scores.max(axis=-1, keepdims=True), -1e300)
    e = np.exp(scores - top)
    return e / (e.sum(axis=-1, keepdims=True) + EPS)
