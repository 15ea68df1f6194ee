import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k = [(x @ W).reshape(b, t, num_heads, m // num_heads).transpose(0, 2, 1, 3) for W in (Wq, Wk)]
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(m // num_heads)
    if causal:
        s = np.where(np.tri(t, dtype=bool), s, -np.inf)
    s = np.exp(s - s.max(-1, keepdims=True))
    attention = s / s.sum(-1, keepdims=True)
    return attention
