import numpy as np


def softmax_one(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / (1 + e.sum(axis=-1, keepdims=True))


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    heads = []
    for q, k, v in zip(*[np.split(x @ W, num_heads, -1) for W in (Wq, Wk, Wv)]):
        s = np.einsum("bid,bjd->bij", q, k) / np.sqrt(q.shape[-1])
        if causal:
            s[:, np.triu(np.ones(s.shape[1:], bool), 1)] = -np.inf
        heads.append(softmax_one(s) @ v)
    return np.concatenate(heads, -1) @ Wo
