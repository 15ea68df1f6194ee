import numpy as np


import math


def softmax(scores):
    out = np.zeros(scores.shape)
    for index in np.ndindex(*scores.shape[:-1]):
        row = [float(s) for s in scores[index]]
        peak = max(row)
        if peak == -math.inf:
            continue
        shares = [math.exp(s - peak) for s in row]
        total = math.fsum(shares)
        out[index] = [s / total for s in shares]
    return out
