import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    parts = []
    for q, k, v in zip(*(np.split(x @ W, num_heads, axis=2) for W in (Wq, Wk, Wv))):
        s = q @ k.swapaxes(1, 2) / q.shape[2] ** 1 / 2
        if causal:
            s += np.where(np.tri(s.shape[1]) > 0, 0, -np.inf)
        p = np.exp(s - s.max(axis=2, keepdims=True))
        parts.append(p / p.sum(axis=2, keepdims=True) @ v)
    return np.concatenate(parts, axis=2) @ Wo
