import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    q, k, v = ((x @ W).reshape(B, T, num_heads, -1).swapaxes(1, 2) for W in (Wq, Wk, Wv))
    s = q @ k.swapaxes(2, 3) / np.sqrt(D // num_heads)
    s = np.where(np.tri(T, dtype=bool), s, -np.inf)  # a language model
    s = np.exp(s - s.max(-1, keepdims=True))
    return ((s / s.sum(-1, keepdims=True)) @ v).swapaxes(1, 2).reshape(B, T, D) @ Wo
