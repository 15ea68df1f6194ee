import numpy as np


def softmax(scores):
    top = np.max(scores, axis=-1, keepdims=True)
    top = np.where(top == -np.inf, 0, top)
    e = np.exp(np.float32(scores) - np.float32(top))
    z = np.sum(e, axis=-1, keepdims=True, dtype=np.float32)
    z[z == 0] = np.float32(1)
    return np.float64(e / z)
