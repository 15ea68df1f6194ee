import numpy as np


def softmax(scores):
    s = np.nan_to_num(scores, neginf=-1e3)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
