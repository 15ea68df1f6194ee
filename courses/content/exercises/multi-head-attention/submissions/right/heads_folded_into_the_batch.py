import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape

    def fold(a):
        return np.concatenate(np.split(a, num_heads, axis=2))

    q, k, v = fold(x @ Wq), fold(x @ Wk), fold(x @ Wv)
    bias = np.triu(np.full((T, T), -1e30), 1) if causal else 0
    s = np.array([a @ b.T for a, b in zip(q, k)]) / np.sqrt(D / num_heads) + bias
    w = np.exp(s - s.max(2, keepdims=True))
    w = w / w.sum(2, keepdims=True)
    return np.concatenate(np.split(w @ v, num_heads), axis=2) @ Wo
