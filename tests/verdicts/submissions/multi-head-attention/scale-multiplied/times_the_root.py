import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    d = x.shape[-1] // num_heads
    y = np.empty_like(x)
    for h in range(num_heads):
        c = slice(h * d, (h + 1) * d)
        q, k, v = x @ Wq[:, c], x @ Wk[:, c], x @ Wv[:, c]
        s = np.einsum("bid,bjd->bij", q * np.sqrt(d), k)
        if causal:
            s = np.where(np.arange(s.shape[1])[:, None] >= np.arange(s.shape[2]), s, -np.inf)
        p = np.exp(s - s.max(axis=2, keepdims=True))
        y[:, :, c] = p / p.sum(axis=2, keepdims=True) @ v
    return y @ Wo
