import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    parts = []
    for q, k, v in zip(*[np.split(x @ W, num_heads, axis=2) for W in (Wq, Wk, Wv)]):
        s = np.einsum("bid,bjd->bij", q, k) / np.sqrt(q.shape[2])
        if causal:
            s = s + np.triu(np.full(s.shape[1:], -np.inf))
        e = np.exp(s - s.max(axis=2, keepdims=True))
        parts.append(e / e.sum(axis=2, keepdims=True) @ v)
    return np.concatenate(parts, axis=2) @ Wo
