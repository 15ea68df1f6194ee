import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    d = x.shape[-1] // num_heads
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    out = np.zeros(x.shape)
    for t in range(x.shape[1]):
        for h in range(num_heads):
            c = slice(h * d, (h + 1) * d)
            s = np.einsum("bd,bjd->bj", Q[:, t, c], K[:, : t + 1, c]) / np.sqrt(d)
            w = np.exp(s - s.max(axis=1, keepdims=True))
            out[:, t, c] = np.einsum("bj,bjd->bd", w, V[:, : t + 1, c]) / w.sum(axis=1, keepdims=True)
    return out @ Wo
