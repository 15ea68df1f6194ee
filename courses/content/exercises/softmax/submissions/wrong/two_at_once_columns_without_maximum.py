import numpy as np


def softmax(scores):
    e = np.exp(scores)
    return e / e.sum(axis=0)
