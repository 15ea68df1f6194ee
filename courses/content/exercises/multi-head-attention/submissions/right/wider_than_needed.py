import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    x, Wq, Wk, Wv, Wo = (np.asarray(a, dtype=np.longdouble) for a in (x, Wq, Wk, Wv, Wo))
    B, T, D = x.shape
    d = D // num_heads
    heads = np.empty((num_heads, B, T, d), dtype=np.longdouble)
    for h in range(num_heads):
        block = np.s_[:, h * d : (h + 1) * d]
        s = (x @ Wq[block]) @ (x @ Wk[block]).swapaxes(1, 2) / np.sqrt(np.longdouble(d))
        if causal:
            s = np.where(np.arange(T)[:, None] < np.arange(T), -np.longdouble(1e300), s)
        p = np.exp(s - s.max(axis=-1, keepdims=True))
        heads[h] = p / p.sum(axis=-1, keepdims=True) @ (x @ Wv[block])
    return (heads.transpose(1, 2, 0, 3).reshape(B, T, D) @ Wo).astype(float)
