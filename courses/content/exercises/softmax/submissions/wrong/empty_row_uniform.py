import numpy as np


def softmax(scores):
    scores = np.maximum(scores, -1e9)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
