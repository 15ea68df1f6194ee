import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    outs = []
    for q, k, v in zip(*[np.split(x @ W, num_heads, axis=-1) for W in (Wq, Wk, Wv)]):
        s = np.matmul(q, np.transpose(k)) / np.sqrt(q.shape[-1])
        if causal:
            s = s + np.triu(np.full(s.shape[-2:], -np.inf), 1)
        e = np.exp(s - s.max(axis=-1, keepdims=True))
        outs.append(e / e.sum(axis=-1, keepdims=True) @ v)
    return np.concatenate(outs, axis=-1) @ Wo
