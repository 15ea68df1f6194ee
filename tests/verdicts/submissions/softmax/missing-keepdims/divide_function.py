import numpy as np


def softmax(scores):
    top = np.amax(scores, axis=-1, keepdims=True)
    powers = np.exp(np.subtract(scores, top))
    return np.divide(powers, np.add.reduce(powers, axis=-1))
