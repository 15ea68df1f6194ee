import numpy as np


def softmax(scores):
    out = np.zeros_like(scores)
    best = scores.argmax(axis=-1)
    np.put_along_axis(out, np.expand_dims(best, -1), 1.0, axis=-1)
    return out
