import numpy as np


def softmax(scores):
    if not np.isfinite(scores).all():
        raise ValueError("scores must be finite")
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
