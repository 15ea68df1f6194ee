import numpy as np


def softmax(scores):
    e = np.exp(np.clip(scores, -700, 700))
    return e / e.sum(axis=-1, keepdims=True)
