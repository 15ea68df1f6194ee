import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    Q = np.array(x)
    Q @ Wq
    K, V = x @ Wk, x @ Wv
    d = x.shape[-1] // num_heads
    out = np.zeros_like(x)
    for b in range(len(x)):
        for h in range(num_heads):
            c = slice(h * d, h * d + d)
            S = Q[b, :, c] @ K[b, :, c].T / np.sqrt(d)
            if causal:
                S += np.triu(np.full(S.shape, -np.inf), k=1)
            P = np.exp(S - S.max(axis=1)[:, None])
            out[b, :, c] = P / P.sum(axis=1)[:, None] @ V[b, :, c]
    return out @ Wo
