# status: error
# mistakes:
# says: raised ValueError at line 12
import numpy as np


def attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    if len(Q) != len(K):
        raise ValueError("as many queries as keys, please")
    return weights @ V, weights
