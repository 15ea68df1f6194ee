import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    d = x.shape[-1] // num_heads
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    outs = []
    for h in range(num_heads):
        q, k, v = Q[..., :d], K[..., :d], V[..., :d]
        s = q @ k.transpose(0, 2, 1) / np.sqrt(d)
        if causal:
            s = s + np.where(np.tri(x.shape[1]) == 1, 0.0, -np.inf)
        p = np.exp(s - s.max(axis=-1, keepdims=True))
        outs.append(p / p.sum(axis=-1, keepdims=True) @ v)
    return np.concatenate(outs, axis=-1) @ Wo
