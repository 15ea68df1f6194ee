import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = (np.einsum("btm,mhd->bhtd", x, W.reshape(m, num_heads, -1)) for W in (Wq, Wk, Wv))
    s = np.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(m // num_heads)
    if causal:
        s[:, :, ~np.tri(t, dtype=bool)] = -np.inf
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    return np.einsum("bhqk,bhqd->bkhd", p, v).reshape(b, t, m) @ Wo
