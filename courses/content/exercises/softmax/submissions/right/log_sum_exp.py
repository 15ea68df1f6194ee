import numpy as np


def softmax(scores):
    with np.errstate(divide="ignore", invalid="ignore"):
        m = scores.max(axis=-1, keepdims=True)
        lse = m + np.log(np.exp(scores - m).sum(axis=-1, keepdims=True))
        p = np.exp(scores - lse)
    return np.where(np.isneginf(m), 0.0, p)
