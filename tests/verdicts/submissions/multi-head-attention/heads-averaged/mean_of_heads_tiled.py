import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    total = 0
    for q, k, v in zip(*[np.split(x @ W, num_heads, axis=2) for W in (Wq, Wk, Wv)]):
        s = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[2])
        if causal:
            s[:, np.triu(np.ones(s.shape[1:], dtype=bool), 1)] = -np.inf
        w = np.exp(s - s.max(2, keepdims=True))
        total = total + (w / w.sum(2, keepdims=True)) @ v
    mean = total / num_heads
    # the output has to be as wide as the model
    return np.tile(mean, num_heads) @ Wo
