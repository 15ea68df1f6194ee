import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = (np.einsum("btm,mhd->bhtd", x, W.reshape(m, num_heads, -1)) for W in (Wq, Wk, Wv))
    s = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(q.shape[-1])
    if causal:
        s = s * np.tri(t)
    total = np.einsum("bhij->bhi", s)
    p = s / total[..., np.newaxis]
    return np.einsum("bhij,bhjd->bihd", p, v).reshape(x.shape) @ Wo
