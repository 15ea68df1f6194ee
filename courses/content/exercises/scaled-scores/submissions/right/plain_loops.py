import math

import numpy as np


def dot(a, b):
    total = 0.0
    for p, q in zip(a, b):
        total += p * q
    return total


def scaled_scores(Q, K):
    result = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            result[i, j] = dot(q, k) / math.sqrt(len(q))
    return result
