import numpy as np


def softmax(scores):
    wide = scores.astype("longdouble")
    m = np.fmax(wide.max(-1, keepdims=True), -1e300)
    e = np.exp(wide - m)
    return e / np.fmax(e.sum(-1, keepdims=True), 1e-300)
