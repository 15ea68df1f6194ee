import numpy as np


def softmax(x):
    shifted = x - np.max(x, -1)
    e = np.exp(shifted)
    return e / np.sum(e, -1, keepdims=True)
