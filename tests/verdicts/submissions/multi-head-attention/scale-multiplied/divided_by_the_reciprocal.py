import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    scale = (D / num_heads) ** -0.5
    q, k, v = ((x @ W).reshape(B, T, num_heads, -1) for W in (Wq, Wk, Wv))
    s = np.einsum("bihd,bjhd->bhij", q, k) / scale
    if causal:
        s = s + np.triu(np.full((T, T), -np.inf), 1)
    return np.einsum("bhij,bjhd->bihd", softmax(s), v).reshape(B, T, D) @ Wo
