import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    """Multi-query attention: keys and values are shared."""
    b, t, m = x.shape
    d = m // num_heads
    q = (x @ Wq).reshape(b, t, num_heads, d)
    k, v = (x @ Wk)[:, :, :d], (x @ Wv)[:, :, :d]
    s = np.einsum("bihd,bjd->bhij", q, k) / np.sqrt(d)
    if causal:
        s[:, :, np.triu_indices(t, 1)[0], np.triu_indices(t, 1)[1]] = -np.inf
    e = np.exp(s - s.max(axis=3, keepdims=True))
    y = np.einsum("bhij,bjd->bihd", e / e.sum(axis=3, keepdims=True), v)
    return y.reshape(b, t, m) @ Wo
