import numpy as np


def softmax(scores):
    m = scores.max(axis=1).reshape(-1, 1)
    m[m == -np.inf] = 0
    e = np.exp(scores - m)
    s = e.sum(axis=1).reshape(-1, 1)
    s[s == 0] = 1
    return e / s
