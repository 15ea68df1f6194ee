import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    q, k, v = ((x @ W).reshape(b, t, num_heads, -1).swapaxes(1, 2) for W in (Wq, Wk, Wv))
    s = q @ k.swapaxes(2, 3) / np.sqrt(m // num_heads)
    if causal:
        s = np.where(np.tri(t) > 0, s, -np.inf)
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    return x + (w @ v).swapaxes(1, 2).reshape(b, t, m) @ Wo
