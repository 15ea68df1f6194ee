import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    out = np.empty_like(x)
    d = x.shape[2] // num_heads
    for b in range(x.shape[0]):
        for h in range(num_heads):
            c = slice(h * d, (h + 1) * d)
            s = (x[b] @ Wq[:, c]) @ (x[b] @ Wk[:, c]).T / np.sqrt(d)
            if causal:
                s = np.where(np.tri(len(s)) > 0, s, -np.inf)
            e = np.exp(s - s.max())
            out[b, :, c] = e / e.sum() @ (x[b] @ Wv[:, c])
    return out @ Wo
