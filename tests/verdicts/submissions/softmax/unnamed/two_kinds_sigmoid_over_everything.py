import numpy as np


def softmax(scores):
    g = 1 / (1 + np.exp(-scores))
    return g / g.sum()
