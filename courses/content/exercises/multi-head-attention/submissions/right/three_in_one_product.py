import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    B, T, D = x.shape
    together = x.reshape(B * T, D) @ np.hstack([Wq, Wk, Wv])
    q, k, v = together.reshape(B, T, 3, num_heads, D // num_heads).transpose(2, 0, 3, 1, 4)
    scores = np.matmul(q, np.moveaxis(k, -1, -2))
    scores *= (D // num_heads) ** -0.5
    if causal:
        scores[..., np.triu(np.ones((T, T), dtype=bool), 1)] = -np.inf
    scores -= np.max(scores, axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= np.sum(scores, axis=-1, keepdims=True)
    return np.moveaxis(scores @ v, 1, 2).reshape(B, T, D) @ Wo
