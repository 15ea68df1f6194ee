import numpy as np


D_HEAD = 64


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    q, k, v = ((x @ W).reshape(B, T, num_heads, -1) for W in (Wq, Wk, Wv))
    s = np.einsum("bihd,bjhd->bhij", q, k) / np.sqrt(D_HEAD)
    if causal:
        s = np.where(np.tri(T) > 0, s, -np.inf)
    p = np.exp(s - s.max(axis=-1, keepdims=True))
    return np.einsum("bhij,bjhd->bihd", p / p.sum(axis=-1, keepdims=True), v).reshape(B, T, D) @ Wo
