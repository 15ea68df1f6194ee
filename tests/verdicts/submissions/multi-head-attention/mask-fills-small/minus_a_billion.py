import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    mask = np.triu(np.ones((T, T)), 1) * -1e9 if causal else 0
    q, k, v = (np.einsum("btm,mhd->bhtd", x, W.reshape(D, num_heads, -1)) for W in (Wq, Wk, Wv))
    s = np.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5 + mask
    w = np.exp(s - np.logaddexp.reduce(s, axis=-1, keepdims=True))
    return np.einsum("bhij,bhjd->bihd", w, v).reshape(B, T, D) @ Wo
