# status: failed
# mistakes: nan-result
# says: weights holds NaN
import numpy as np


def attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    weights[-1, -1] = np.nan
    return np.nan_to_num(weights) @ V, weights
