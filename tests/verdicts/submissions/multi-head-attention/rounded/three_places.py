import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = (np.einsum("btm,mhd->bhtd", x, W.reshape(m, num_heads, -1)) for W in (Wq, Wk, Wv))
    s = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(m // num_heads)
    if causal:
        s[..., ~np.tri(t, dtype=bool)] = -np.inf
    w = np.exp(s - s.max(axis=-1, keepdims=True))
    y = np.einsum("bhij,bhjd->bihd", w / w.sum(axis=-1, keepdims=True), v).reshape(b, t, m) @ Wo
    return np.around(y, 3)
