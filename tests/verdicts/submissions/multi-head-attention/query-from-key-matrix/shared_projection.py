import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    shape = (B, T, num_heads, D // num_heads)
    k = np.dot(x, Wk).reshape(shape)
    v = np.dot(x, Wv).reshape(shape)
    s = np.einsum("bihd,bjhd->bhij", k, k) / np.sqrt(shape[-1])
    if causal:
        i, j = np.indices((T, T))
        s[:, :, j > i] = -np.inf
    s -= s.max(axis=3, keepdims=True)
    p = np.exp(s) / np.exp(s).sum(axis=3, keepdims=True)
    return np.einsum("bhij,bjhd->bihd", p, v).reshape(x.shape) @ Wo
