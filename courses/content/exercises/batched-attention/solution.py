import numpy as np


def attention(Q, K, V, causal=False):
    """Queries and keys end together: query i sees the keys up to i + Tk - Tq."""
    Tq, Tk, d = Q.shape[-2], K.shape[-2], Q.shape[-1]
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(d)
    if causal:
        future = np.triu(np.ones((Tq, Tk), dtype=bool), k=1 + Tk - Tq)
        scores = np.where(future, -np.inf, scores)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = shares / shares.sum(axis=-1, keepdims=True)
    return weights @ V
