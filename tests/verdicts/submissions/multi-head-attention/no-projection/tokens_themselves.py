import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    # self-attention: x attends to x
    b, t, m = x.shape
    h = x.reshape(b, t, num_heads, m // num_heads)
    s = np.einsum("bihd,bjhd->bhij", h, h) / np.sqrt(h.shape[3])
    if causal:
        s[:, :, np.arange(t)[:, None] < np.arange(t)] = -np.inf
    s = np.exp(s - s.max(axis=3, keepdims=True))
    s /= s.sum(axis=3, keepdims=True)
    return np.einsum("bhij,bjhd->bihd", s, h).reshape(b, t, m).dot(Wo)
