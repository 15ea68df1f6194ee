# mistakes: scale-by-width, scaled-twice
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = (np.einsum("btm,mhd->bhtd", x, W.reshape(m, num_heads, -1)) for W in (Wq, Wk, Wv))
    head_dim = q.shape[-1]
    s = np.einsum("bhid,bhjd->bhij", q, k) / head_dim
    if causal:
        s = np.where(np.tri(t, dtype=bool), s, -np.inf)
    e = np.exp(s - s.max(axis=3)[..., None])
    return np.einsum("bhij,bhjd->bihd", e / e.sum(axis=3)[..., None], v).reshape(b, t, m) @ Wo
