import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    d = len(Wo) // num_heads
    y = 0.0
    for h in range(num_heads):
        c = slice(h * d, (h + 1) * d)
        q, k, v = x @ Wq[:, c], x @ Wk[:, c], x @ Wv[:, c]
        s = q @ k.transpose(0, 2, 1) / np.sqrt(d)
        if causal:
            s = np.where(np.tri(x.shape[1], dtype=bool), s, -np.inf)
        w = np.exp(s - s.max(axis=-1, keepdims=True))
        w /= w.sum(axis=-1, keepdims=True)
        y = y + w @ v @ Wo[c]
    return y
