import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, num_heads, causal=False):
    m = x.shape[2]
    q, k, v = (np.einsum("btm,mhd->btdh", x, W.reshape(m, num_heads, -1)) for W in (Wq, Wk, Wv))
    s = np.einsum("bidh,bjdh->bijh", q, k) / np.sqrt(m // num_heads)
    if causal:
        s[:, np.triu(np.ones((x.shape[1],) * 2, dtype=bool), 1)] = -np.inf
    s = np.exp(s - s.max(axis=2, keepdims=True))
    s = s / s.sum(axis=2, keepdims=True)
    y = np.einsum("bijh,bjdh->bihd", s, v)
    return np.einsum("bihd,hdm->bim", y, Wo.reshape(num_heads, -1, m))
