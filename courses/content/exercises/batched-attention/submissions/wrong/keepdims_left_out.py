import numpy as np


def attention(Q, K, V, causal=False):
    scores = np.matmul(Q, np.swapaxes(K, -2, -1)) / np.sqrt(Q.shape[-1])
    if causal:
        tq, tk = scores.shape[-2:]
        query = np.arange(tk - tq, tk)[:, None]
        key = np.arange(tk)
        scores = np.where(key > query, -np.inf, scores)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1)
    return np.matmul(weights, V)
