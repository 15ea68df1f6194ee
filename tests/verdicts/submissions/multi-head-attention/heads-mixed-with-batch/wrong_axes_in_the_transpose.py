import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape

    def split(y):
        return y.reshape(B, T, num_heads, D // num_heads).transpose(0, 2, 1, 3)

    q, k, v = split(x @ Wq), split(x @ Wk), split(x @ Wv)
    a = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    if causal:
        a += np.triu(np.full((T, T), -1e20), 1)
    a = np.exp(a - a.max(-1, keepdims=True))
    a = a / a.sum(-1, keepdims=True)
    return (a @ v).transpose(1, 2, 0, 3).reshape(B, T, D) @ Wo
