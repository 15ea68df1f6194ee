import numpy as np


def attention(Q, K, V):
    """softmax(Q Kᵀ / √d) V, with each row's maximum subtracted before exp."""
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = shares / shares.sum(axis=-1, keepdims=True)
    return weights @ V, weights
