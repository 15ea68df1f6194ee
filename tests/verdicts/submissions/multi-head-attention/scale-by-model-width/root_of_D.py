import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    d_model = x.shape[-1]
    q, k, v = (np.stack(np.split(x @ W, num_heads, axis=-1), axis=1) for W in (Wq, Wk, Wv))
    s = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(d_model)
    if causal:
        s[..., np.triu(np.ones(s.shape[-2:], dtype=bool), 1)] = -np.inf
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    y = np.einsum("bhij,bhjd->bihd", e / e.sum(axis=-1, keepdims=True), v)
    return y.reshape(x.shape) @ Wo
