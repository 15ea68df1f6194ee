import numpy as np


def softmax(scores):
    total = np.logaddexp.reduce(scores, axis=-1, keepdims=True)
    empty = np.isneginf(total)
    return np.where(empty, 0.0, np.exp(scores - np.where(empty, 0.0, total)))
