import numpy as np


def softmax(scores):
    with np.errstate(all="ignore"):
        shifted = scores - scores.max(axis=-1, keepdims=True)
        e = np.exp(shifted)
        p = e / e.sum(axis=-1, keepdims=True)
    return np.nan_to_num(p, nan=0.0)
