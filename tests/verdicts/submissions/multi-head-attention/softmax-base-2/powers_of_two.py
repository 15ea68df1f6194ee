import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    d = m // num_heads
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    out = np.zeros(x.shape)
    for h in range(num_heads):
        c = slice(d * h, d * h + d)
        for i in range(t):
            n = i + 1 if causal else t
            s = np.einsum("bd,bjd->bj", Q[:, i, c], K[:, :n, c]) / np.sqrt(d)
            p = 2.0 ** (s - s.max(axis=1, keepdims=True))
            out[:, i, c] = np.einsum("bj,bjd->bd", p / p.sum(axis=1, keepdims=True), V[:, :n, c])
    return out @ Wo
