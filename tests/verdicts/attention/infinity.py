# status: failed
# mistakes:
# says: weights[0, 0] is inf, expected
import numpy as np


def attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    output = weights @ V
    weights[0, 0] = np.inf
    return output, weights
