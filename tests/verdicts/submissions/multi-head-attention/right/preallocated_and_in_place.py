import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    Q /= np.sqrt(Q.shape[2] // num_heads)
    merged = np.empty_like(Q)
    d = Q.shape[2] // num_heads
    for b in range(len(x)):
        for h in range(num_heads):
            c = slice(d * h, d * h + d)
            s = Q[b, :, c] @ K[b, :, c].T
            if causal:
                s[np.triu_indices_from(s, 1)] = -np.inf
            s -= s.max(axis=1, keepdims=True)
            np.exp(s, out=s)
            s /= s.sum(axis=1, keepdims=True)
            np.matmul(s, V[b, :, c], out=merged[b, :, c])
    return merged @ Wo
