import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    outs = []
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    for q, k, v in zip(*(np.split(m, num_heads, axis=2) for m in (Q, K, V))):
        s = k @ q.swapaxes(1, 2) / np.sqrt(k.shape[2])
        if causal:
            s = s + np.triu(np.full(s.shape[1:], -np.inf), 1)
        w = np.exp(s - s.max(axis=2, keepdims=True))
        w /= w.sum(axis=2, keepdims=True)
        outs.append(w @ v)
    return np.concatenate(outs, axis=2) @ Wo
