import numpy as np


def attention(Q, K, V):
    Q = Q / np.sqrt(Q.shape[-1])
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    scores -= scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ V, weights
