import numpy as np


def softmax(scores):
    # e^s = (e^(s/2))^2
    top = scores.max(axis=-1, keepdims=True)
    top = np.where(np.isfinite(top), top, 0)
    half = np.exp((scores - top) / 2)
    e = half * half
    return e / np.maximum(e.sum(axis=-1, keepdims=True), np.finfo(float).tiny)
