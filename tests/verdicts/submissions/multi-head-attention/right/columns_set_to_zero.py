import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    d = D // num_heads
    keep = np.kron(np.eye(num_heads), np.ones(d))
    q, k, v = x @ Wq, x @ Wk, x @ Wv
    out = 0
    for row in keep:
        s = (q * row) @ k.transpose(0, 2, 1) / np.sqrt(d)
        if causal:
            s[:, np.triu_indices(T, 1)[0], np.triu_indices(T, 1)[1]] = -np.inf
        p = np.exp(s - np.max(s, axis=2, keepdims=True))
        p /= np.sum(p, axis=2, keepdims=True)
        out = out + p @ (v * row)
    return out @ Wo
