import numpy as np


def softmax(scores):
    e = np.exp(scores - scores.max(axis=0))
    return e / (1 + e.sum(axis=0))
