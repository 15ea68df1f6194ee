import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    d = x.shape[2] // num_heads
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    out = np.zeros_like(x)
    for t in range(x.shape[1]):
        first = t if causal else 0
        for h in range(num_heads):
            c = slice(d * h, d * h + d)
            s = np.einsum("bd,bjd->bj", Q[:, t, c], K[:, first:, c]) / np.sqrt(d)
            w = np.exp(s - s.max(axis=1, keepdims=True))
            w = w / w.sum(axis=1, keepdims=True)
            out[:, t, c] = np.einsum("bj,bjd->bd", w, V[:, first:, c])
    return out @ Wo
