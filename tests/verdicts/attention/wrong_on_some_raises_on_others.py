# status: failed
# mistakes:
import numpy as np


def attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    if V.shape[1] == V.shape[0]:
        raise ValueError("square")
    if len(Q) == 4:
        raise ValueError("the example")
    return weights @ V + 1, weights
