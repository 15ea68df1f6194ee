# status: passed
# mistakes:
import collections

import numpy as np

Result = collections.namedtuple("Result", "output weights")


def attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return Result(weights @ V, weights)
