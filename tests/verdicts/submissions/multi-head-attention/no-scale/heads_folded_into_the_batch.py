import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    d = D // num_heads

    def fold(y):
        return y.reshape(B, T, num_heads, d).transpose(0, 2, 1, 3).reshape(-1, T, d)

    q, k, v = fold(x @ Wq), fold(x @ Wk), fold(x @ Wv)
    s = np.einsum("nid,njd->nij", q, k)
    if causal:
        s[:, np.triu(np.ones((T, T), bool), 1)] = -np.inf
    w = np.exp(s - np.logaddexp.reduce(s, axis=2, keepdims=True))
    return (w @ v).reshape(B, num_heads, T, d).transpose(0, 2, 1, 3).reshape(B, T, D) @ Wo
