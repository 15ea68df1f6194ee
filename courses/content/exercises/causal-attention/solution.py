import numpy as np


def causal_attention(Q, K, V):
    """softmax(Q Kᵀ / √d, with -inf above the diagonal) V."""
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    future = np.triu(np.ones(scores.shape, dtype=bool), k=1)
    scores = np.where(future, -np.inf, scores)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = shares / shares.sum(axis=-1, keepdims=True)
    return weights @ V, weights
