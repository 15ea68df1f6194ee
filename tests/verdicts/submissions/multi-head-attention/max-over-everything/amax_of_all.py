import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = (np.einsum("btm,mhd->bhtd", x, W.reshape(m, num_heads, -1)) for W in (Wq, Wk, Wv))
    s = q @ k.swapaxes(-1, -2) / np.sqrt(m // num_heads)
    if causal:
        s = np.where(np.tri(t) > 0, s, -np.inf)
    e = np.exp(s - np.amax(s))
    p = e / e.sum(axis=-1, keepdims=True)
    return np.einsum("bhij,bhjd->bihd", p, v).reshape(b, t, m) @ Wo
