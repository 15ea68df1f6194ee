# status: failed
# mistakes: mutates-input
# says: Q came back changed: work on a copy
import numpy as np


def attention(Q, K, V):
    Q /= np.sqrt(Q.shape[1])
    scores = Q @ K.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ V, weights
