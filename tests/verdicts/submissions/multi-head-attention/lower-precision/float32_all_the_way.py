import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    x, Wq, Wk, Wv, Wo = (a.astype(np.float32) for a in (x, Wq, Wk, Wv, Wo))
    b, t, m = x.shape
    q, k, v = ((x @ W).reshape(b, t, num_heads, -1).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    s = q @ k.transpose(0, 1, 3, 2) / np.float32(np.sqrt(m // num_heads))
    if causal:
        s = np.where(np.tri(t, dtype=bool), s, np.float32(-np.inf))
    s = np.exp(s - s.max(-1, keepdims=True))
    s /= s.sum(-1, keepdims=True)
    return ((s @ v).transpose(0, 2, 1, 3).reshape(b, t, m) @ Wo).astype(np.float64)
