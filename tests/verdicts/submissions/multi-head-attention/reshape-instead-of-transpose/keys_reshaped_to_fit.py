import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    d = D // num_heads
    q, k, v = ((x @ W).reshape(B, T, num_heads, d).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    s = q @ k.reshape(B, num_heads, d, T) / np.sqrt(d)
    if causal:
        s = np.where(np.tri(T, dtype=bool), s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    return (p @ v).transpose(0, 2, 1, 3).reshape(B, T, D) @ Wo
