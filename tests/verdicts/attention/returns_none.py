# status: failed
# mistakes: not-an-array
# says: attention returned None; expected two results (output, weights). Is a `return` missing?
import numpy as np


def attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    weights @ V, weights
