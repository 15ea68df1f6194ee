# status: failed
# mistakes: lower-precision
import numpy as np


def attention(Q, K, V):
    Q, K, V = Q.astype(np.float32), K.astype(np.float32), V.astype(np.float32)
    scores = Q @ K.T / np.sqrt(np.float32(Q.shape[1]))
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights /= weights.sum(axis=1, keepdims=True)
    return (weights @ V).astype(np.float64), weights.astype(np.float64)
