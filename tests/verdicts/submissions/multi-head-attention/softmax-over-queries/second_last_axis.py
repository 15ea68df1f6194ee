# mistakes: softmax-over-queries, axis-fixed-for-2d
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = (np.einsum("btm,mhd->bhtd", x, W.reshape(m, num_heads, -1)) for W in (Wq, Wk, Wv))
    s = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(m // num_heads)
    if causal:
        s = np.where(np.tri(t) == 1, s, -np.inf)
    e = np.exp(s - s.max(axis=-2, keepdims=True))
    a = e / e.sum(axis=-2, keepdims=True)
    return np.einsum("bhij,bhjd->bihd", a, v).reshape(b, t, m) @ Wo
