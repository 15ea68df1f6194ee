import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = (np.stack(np.split(x @ W, num_heads, axis=2)) for W in (Wq, Wk, Wv))
    s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(m // num_heads)
    if causal:
        s[..., np.triu(np.ones((t, t)), 2) == 1] = -np.inf
    w = np.exp(s - np.logaddexp.reduce(s, axis=-1, keepdims=True))
    return np.concatenate(list(w @ v), axis=2) @ Wo
