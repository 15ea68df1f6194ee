import numpy as np


import math


def softmax(scores):
    """exp(score) over the sum of exp(score)"""
    m = float(scores.max())
    total = 0.0
    for s in np.nditer(scores):
        total += math.exp(float(s) - m)
    out = np.empty(scores.shape)
    for index, s in np.ndenumerate(scores):
        out[index] = math.exp(s - m) / total
    return out
