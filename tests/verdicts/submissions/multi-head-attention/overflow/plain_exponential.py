import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = (np.moveaxis((x @ W).reshape(b, t, num_heads, -1), 2, 1) for W in (Wq, Wk, Wv))
    s = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(m // num_heads)
    if causal:
        s = np.where(np.tri(t, dtype=bool), s, -np.inf)
    e = np.exp(s)
    w = e / np.einsum("bhij->bhi", e)[..., None]
    return np.moveaxis(w @ v, 1, 2).reshape(b, t, m) @ Wo
