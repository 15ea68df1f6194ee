import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = ((x @ W).reshape(b, t, num_heads, -1).swapaxes(1, 2) for W in (Wq, Wk, Wv))
    s = q @ k.swapaxes(2, 3) / np.sqrt(m // num_heads)
    if causal:
        s = np.where(np.tri(t, dtype=bool), s, -np.inf)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return ((e / e.sum(axis=-1)) @ v).swapaxes(1, 2).reshape(b, t, m) @ Wo
