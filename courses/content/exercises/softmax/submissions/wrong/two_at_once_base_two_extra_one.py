import numpy as np


def softmax(scores):
    top = scores.max(axis=-1, keepdims=True)
    top = np.where(np.isneginf(top), 0.0, top)
    p = 2 ** (scores - top)
    return p / (1 + p.sum(axis=-1, keepdims=True))
