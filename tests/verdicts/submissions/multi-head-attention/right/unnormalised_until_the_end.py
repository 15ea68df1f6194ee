import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    d = D // num_heads
    fold = lambda y: y.reshape(B, T, num_heads, d).transpose(0, 2, 1, 3).reshape(B * num_heads, T, d)
    q, k, v = fold(x @ Wq), fold(x @ Wk), fold(x @ Wv)
    s = np.einsum("nid,njd->nij", q, k) / np.sqrt(d)
    if causal:
        s = s - 1e300 * np.triu(np.ones((T, T)), 1)
    e = np.exp(s - s.max(axis=2, keepdims=True))
    y = (e @ v) / e.sum(axis=2)[..., np.newaxis]
    return y.reshape(B, num_heads, T, d).transpose(0, 2, 1, 3).reshape(B, T, D) @ Wo
