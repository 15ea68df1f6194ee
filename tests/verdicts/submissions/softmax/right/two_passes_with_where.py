import numpy as np


def softmax(scores):
    hidden = np.isneginf(scores)
    safe = np.where(hidden, 0.0, scores)
    top = np.max(np.where(hidden, -1e308, safe), axis=-1, keepdims=True)
    e = np.where(hidden, 0.0, np.exp(np.where(hidden, 0.0, safe - np.where(hidden.all(-1, keepdims=True), 0, top))))
    z = e.sum(axis=-1, keepdims=True)
    return np.divide(e, z, out=np.zeros_like(e), where=z > 0)
