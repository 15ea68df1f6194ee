import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    def head(q, k, v):
        a = q @ k.swapaxes(1, 2)
        if causal:
            a += np.triu(np.full(a.shape[1:], -np.inf), 1)
        a = np.exp(a - np.logaddexp.reduce(a, axis=2, keepdims=True))
        return (a * q.shape[2] ** -0.5) @ v

    thirds = (np.split(x @ W, num_heads, axis=2) for W in (Wq, Wk, Wv))
    return np.concatenate([head(*qkv) for qkv in zip(*thirds)], axis=2) @ Wo
