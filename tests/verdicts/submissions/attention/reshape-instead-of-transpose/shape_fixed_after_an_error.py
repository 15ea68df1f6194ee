import numpy as np


def attention(Q, K, V):
    try:
        scores = Q @ K
    except ValueError:
        scores = None
    # ValueError: shapes do not match -> reshape
    scores = Q @ np.reshape(K, (Q.shape[-1], -1))
    scores = scores / np.sqrt(Q.shape[-1])
    weights = np.array([np.exp(r - max(r)) / np.exp(r - max(r)).sum() for r in scores])
    return weights @ V, weights
