import numpy as np


def softmax(s):
    s = np.exp2(s - np.amax(s, axis=-1, keepdims=True))
    return np.divide(s, np.add.reduce(s, axis=-1, keepdims=True))


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    q, k, v = (np.stack(np.split(x @ W, num_heads, axis=-1), axis=1) for W in (Wq, Wk, Wv))
    s = np.einsum("bhid,bhjd->bhij", q, k) * q.shape[-1] ** -0.5
    if causal:
        s += np.triu(np.full(s.shape[2:], -np.inf), 1)
    y = softmax(s) @ v
    return np.concatenate([y[:, h] for h in range(num_heads)], axis=-1) @ Wo
