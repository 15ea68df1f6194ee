# status: failed
# mistakes: no-scale
import numpy as np


def attention(Q, K, V):
    scores = Q @ K.T
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights @ V, weights
