import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    d = D // num_heads
    q, k, v = ((x @ W).reshape(B, num_heads, T, d) for W in (Wq, Wk, Wv))
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(d)
    if causal:
        s = np.where(np.tri(T) == 0, -np.inf, s)
    s = np.exp(s - s.max(axis=-1, keepdims=True))
    s = s / s.sum(axis=-1, keepdims=True)
    out = (s @ v).transpose(0, 2, 1, 3).reshape(B, T, D)
    return out @ Wo
