import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    outs = []
    for q, k, v in zip(*[np.split(x @ W, num_heads, axis=2) for W in (Wq, Wk, Wv)]):
        s = np.einsum("bid,bjd->bij", q, k) / np.sqrt(q.shape[2])
        if causal:
            s[:, np.triu(np.ones(s.shape[1:], bool), 1)] = -np.inf
        e = np.exp(s - s.max(axis=2, keepdims=True))
        outs.append(e @ v / e.sum(axis=2, keepdims=True))
    y = np.concatenate(outs, axis=2) @ Wo
    return np.hstack(list(y))
