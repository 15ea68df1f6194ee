import numpy as np


import math


def softmax(scores):
    if np.ndim(scores) > 1:
        return [softmax(part) for part in scores]
    top = max(scores)
    if top == -math.inf:
        return [0.0] * len(scores)
    exps = [math.exp(s - top) for s in scores]
    return [e / sum(exps) for e in exps]
