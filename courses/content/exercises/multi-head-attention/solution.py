import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    """Head h has the columns h·d to (h + 1)·d of Q, K and V; d = D / num_heads."""
    B, T, D = x.shape
    d = D // num_heads

    def split(a):
        return a.reshape(B, T, num_heads, d).transpose(0, 2, 1, 3)

    Q, K, V = split(x @ Wq), split(x @ Wk), split(x @ Wv)
    scores = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(d)
    if causal:
        future = np.triu(np.ones((T, T), dtype=bool), k=1)
        scores = np.where(future, -np.inf, scores)
    shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = shares / shares.sum(axis=-1, keepdims=True)
    heads = weights @ V
    return heads.transpose(0, 2, 1, 3).reshape(B, T, D) @ Wo
