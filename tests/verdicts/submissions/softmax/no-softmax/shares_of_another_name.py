import numpy as np


def softmax(scores):
    with np.errstate(all="ignore"):
        score = np.exp(scores)
        score = score / score.sum(axis=-1, keepdims=True)
    return np.array(scores)
