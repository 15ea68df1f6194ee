import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    pos = np.arange(t)
    q, k, v = ((x @ W).reshape(b, t, num_heads, m // num_heads) for W in (Wq, Wk, Wv))
    s = np.einsum("bihd,bjhd->bhij", q, k) / np.sqrt(m // num_heads)
    if causal:
        s = np.where(pos[None, :] < pos[:, None], s, -1e15)
    s -= s.max(axis=-1, keepdims=True)
    w = np.exp(s)
    w /= w.sum(axis=-1, keepdims=True)
    return np.einsum("bhij,bjhd->bihd", w, v).reshape(b, t, m) @ Wo
