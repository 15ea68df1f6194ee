import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    q, k, v = (np.moveaxis((x @ W).reshape(B, T, num_heads, -1), 2, 1) for W in (Wq, Wk, Wv))
    s = np.matmul(q, np.swapaxes(k, 2, 3)) / np.sqrt(D // num_heads)
    s = np.where(np.tri(T, dtype=bool), s, -np.inf) if causal else s
    p = np.exp(s - s.max(axis=-1, keepdims=True))
    p = p / p.sum(axis=-1, keepdims=True)
    return (p @ v).reshape(B, T, D) @ Wo
