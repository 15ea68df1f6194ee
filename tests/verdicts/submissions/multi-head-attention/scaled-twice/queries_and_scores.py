# mistakes: scaled-twice, scale-by-width
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    root = np.sqrt(m / num_heads)
    q, k, v = ((x @ W).reshape(b, t, num_heads, -1).swapaxes(1, 2) for W in (Wq / root, Wk, Wv))
    s = q @ k.swapaxes(2, 3) / root
    if causal:
        s[:, :, ~np.tri(t, dtype=bool)] = -np.inf
    w = np.exp(s - np.logaddexp.reduce(s, axis=-1, keepdims=True))
    return (w @ v).swapaxes(1, 2).reshape(b, t, m) @ Wo
