import numpy as np


def softmax(scores):
    s = scores - scores.max(axis=-1, keepdims=True)
    return s - np.log(np.exp(s).sum(axis=-1, keepdims=True))
