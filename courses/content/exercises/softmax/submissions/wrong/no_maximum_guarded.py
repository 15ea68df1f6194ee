import numpy as np


def softmax(scores):
    e = np.exp(scores)
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)
