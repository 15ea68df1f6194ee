import numpy as np


def softmax(scores):
    third = np.sort(scores, axis=-1)[..., -3:-2]
    kept = np.where(scores >= third, scores, -np.inf)
    m = kept.max(axis=-1, keepdims=True)
    e = np.exp(kept - np.where(np.isneginf(m), 0, m))
    z = e.sum(axis=-1, keepdims=True)
    return e / np.where(z == 0, 1, z)
