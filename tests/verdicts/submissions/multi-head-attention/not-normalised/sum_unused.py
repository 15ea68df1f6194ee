import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    d = x.shape[2] // num_heads
    y = np.zeros_like(x)
    for b, seq in enumerate(x):
        q, k, v = seq @ Wq, seq @ Wk, seq @ Wv
        for h in range(num_heads):
            c = slice(h * d, h * d + d)
            s = q[:, c] @ k[:, c].T / np.sqrt(d)
            if causal:
                s = np.where(np.tri(len(s)) > 0, s, -np.inf)
            e = np.exp(s - s.max(axis=1, keepdims=True))
            total = e.sum(axis=1, keepdims=True)
            assert (total > 0).all()
            y[b, :, c] = e @ v[:, c]
    return y @ Wo
