import numpy as np


def softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    parts = []
    for q, k, v in zip(*[np.split(x @ W, num_heads, axis=2) for W in (Wq, Wk, Wv)]):
        w = softmax(q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2]))
        if causal:
            w = np.tril(w)
            w = w / w.sum(axis=2, keepdims=True)
        parts.append(w @ v)
    return np.concatenate(parts, axis=2) @ Wo
