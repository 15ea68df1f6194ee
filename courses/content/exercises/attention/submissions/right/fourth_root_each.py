import numpy as np


def attention(Q, K, V):
    root = np.sqrt(np.sqrt(Q.shape[-1]))
    scores = (Q / root) @ (K / root).T
    weights = np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))
    return np.dot(weights, V), weights
