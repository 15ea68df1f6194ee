import numpy as np


def softmax(scores):
    m = np.max(scores, axis=-1, keepdims=True)
    m[m == -np.inf] = 0
    e = np.exp(scores - m)
    s = e.sum(-1, keepdims=True)
    s[s == 0] = 1
    return e / s
