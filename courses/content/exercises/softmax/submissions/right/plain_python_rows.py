import math

import numpy as np


def one_row(row):
    biggest = max(row)
    if biggest == float("-inf"):
        return [0.0] * len(row)
    exps = [math.exp(s - biggest) for s in row]
    total = sum(exps)
    return [e / total for e in exps]


def softmax(scores):
    rows = scores.reshape(-1, scores.shape[-1]).tolist()
    return np.array([one_row(r) for r in rows]).reshape(scores.shape)
