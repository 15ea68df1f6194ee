import numpy as np


def softmax(scores):
    shifted = np.subtract(scores, np.amax(scores))
    e = np.exp(shifted)
    return np.divide(e, np.sum(e, axis=-1, keepdims=True))
