import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    d = x.shape[2] // num_heads
    y = np.zeros_like(x)
    for h in range(num_heads):
        c = slice(h * d, h * d + d)
        s = (x @ Wq[:, c]) @ (x @ Wk[:, c]).swapaxes(1, 2) / np.sqrt(d)
        if causal:
            s = np.tril(s)
        y[:, :, c] = (s / s.sum(axis=2, keepdims=True)) @ (x @ Wv[:, c])
    return y @ Wo
