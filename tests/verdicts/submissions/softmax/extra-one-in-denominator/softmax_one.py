import numpy as np


def softmax(scores):
    m = np.maximum(0, scores.max(-1, keepdims=True))
    e = np.exp(scores - m)
    return e / (np.exp(-m) + e.sum(-1, keepdims=True))
