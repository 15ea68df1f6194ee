import numpy as np


def softmax(scores):
    # the best key gets 1, the others less
    m = scores.max(axis=-1, keepdims=True)
    e = np.exp((scores - np.where(np.isneginf(m), 0, m)) / 2)
    return e / np.where(e.max(axis=-1, keepdims=True) > 0, e.max(axis=-1, keepdims=True), 1)
