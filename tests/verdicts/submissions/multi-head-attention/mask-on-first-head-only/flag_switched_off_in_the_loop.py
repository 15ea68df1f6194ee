import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    heads = []
    for q, k, v in zip(*[np.split(x @ W, num_heads, axis=-1) for W in (Wq, Wk, Wv)]):
        s = np.einsum("bid,bjd->bij", q, k) * q.shape[-1] ** -0.5
        if causal:
            s = s + np.triu(np.full(s.shape[1:], -np.inf), 1)
            causal = False  # masked now
        e = np.exp(s - s.max(axis=-1, keepdims=True))
        heads.append(e @ v / e.sum(axis=-1, keepdims=True))
    return np.concatenate(heads, axis=-1) @ Wo
