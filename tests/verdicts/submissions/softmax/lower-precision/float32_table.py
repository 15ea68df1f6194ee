import numpy as np


import math


def softmax(scores):
    out = np.zeros(scores.shape, dtype=np.float32)
    for index in np.ndindex(scores.shape[:-1]):
        row = np.asarray(scores[index], dtype=np.float32)
        top = float(row.max())
        if top == -math.inf:
            continue
        exps = [math.exp(float(s) - top) for s in row]
        out[index] = [e / sum(exps) for e in exps]
    return out.astype(np.float64)
