import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    b, t, m = x.shape
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    out = np.zeros_like(x)
    for h in range(num_heads):
        q, k, v = Q[:, :, h::num_heads], K[:, :, h::num_heads], V[:, :, h::num_heads]
        s = q @ np.transpose(k, (0, 2, 1)) / np.sqrt(m // num_heads)
        if causal:
            s = np.where(np.tri(t) > 0, s, -np.inf)
        w = np.exp(s - s.max(2, keepdims=True))
        w /= w.sum(2, keepdims=True)
        out[:, :, h::num_heads] = w @ v
    return out @ Wo
