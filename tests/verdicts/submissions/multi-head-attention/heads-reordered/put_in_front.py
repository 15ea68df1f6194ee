import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    merged = None
    for q, k, v in zip(*(np.split(np.dot(x, W), num_heads, axis=2) for W in (Wq, Wk, Wv))):
        s = np.einsum("bid,bjd->bij", q, k) / np.sqrt(q.shape[2])
        if causal:
            s += np.triu(np.full(s.shape[1:], -np.inf), 1)
        p = np.exp(s - s.max(axis=2)[..., None])
        head = (p / p.sum(axis=2)[..., None]) @ v
        merged = head if merged is None else np.concatenate([head, merged], axis=2)
    return merged @ Wo
