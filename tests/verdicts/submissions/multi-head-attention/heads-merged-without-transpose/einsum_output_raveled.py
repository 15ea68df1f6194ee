import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    heads_of = lambda W: np.einsum("btm,mhd->bhtd", x, W.reshape(len(W), num_heads, -1))
    q, k, v = heads_of(Wq), heads_of(Wk), heads_of(Wv)
    logits = np.einsum("bhqd,bhkd->bhqk", q, k) * q.shape[-1] ** -0.5
    if causal:
        logits[..., np.triu(np.ones(logits.shape[-2:]), 1) > 0] = -np.inf
    w = np.exp(logits - np.logaddexp.reduce(logits, axis=-1, keepdims=True))
    merged = np.einsum("bhqk,bhkd->bhqd", w, v)
    return np.ravel(merged).reshape(x.shape) @ Wo
