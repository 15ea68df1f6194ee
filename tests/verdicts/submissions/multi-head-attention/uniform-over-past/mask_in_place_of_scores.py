import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    parts = []
    for q, k, v in zip(*[np.split(x @ W, num_heads, axis=2) for W in (Wq, Wk, Wv)]):
        s = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2])
        if causal:
            s = np.broadcast_to(np.where(np.tri(s.shape[1]) > 0, 0, -np.inf), s.shape)
        w = np.exp(s - np.logaddexp.reduce(s, axis=2, keepdims=True))
        parts.append(w @ v)
    return np.concatenate(parts, axis=2) @ Wo
