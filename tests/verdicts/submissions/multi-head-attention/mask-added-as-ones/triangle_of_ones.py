import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = ((x @ W).reshape(b, t, num_heads, -1).transpose(0, 2, 1, 3) for W in (Wq, Wk, Wv))
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(m // num_heads)
    if causal:
        s = s + np.triu(np.ones((t, t)), 1)
    w = np.exp(s - np.logaddexp.reduce(s, axis=3, keepdims=True))
    return (w @ v).transpose(0, 2, 1, 3).reshape(b, t, m) @ Wo
