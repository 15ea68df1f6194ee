import numpy as np


def attention(Q, K, V, eps=1e-9):
    scores = Q.dot(K.T) / np.sqrt(K.shape[-1])
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    weights = scores / (scores.sum(-1, keepdims=True) + eps)
    return weights.dot(V), weights
