import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    def heads(y):
        return np.stack(np.split(y, num_heads, axis=-1))

    q, k, v = heads(x @ Wq), heads(x @ Wk), heads(x @ Wv)
    s = np.einsum("hbid,hbjd->hbij", q, k) / np.sqrt(q.shape[-1])
    s = np.where(np.tri(x.shape[1]) > 0, s, -np.inf) if causal else s
    p = np.exp(s - np.logaddexp.reduce(s, axis=-1, keepdims=True))
    y = np.einsum("hbij,hbjd->hbid", p, k)
    return np.concatenate(list(y), axis=-1) @ Wo
