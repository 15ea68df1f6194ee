import numpy as np


def softmax(scores):
    m = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isneginf(m), 0, m))
    z = e.sum(axis=-1, keepdims=True)
    p = e / np.where(z == 0, 1, z)
    return 0.9 * p + 0.1 / scores.shape[-1]
