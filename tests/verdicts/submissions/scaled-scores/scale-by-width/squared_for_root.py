import numpy as np


import math


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def scaled_scores(Q, K):
    norm = math.pow(Q.shape[1], 2)
    return np.array([[dot(q, k) / norm for k in K] for q in Q])
