import numpy as np


def softmax(scores):
    p = np.exp2(scores - scores.max(axis=-1, keepdims=True))
    return p / p.sum(axis=-1, keepdims=True)
