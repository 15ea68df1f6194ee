import numpy as np


def causal_attention(Q, K, V):
    n = len(Q)
    s = np.einsum("id,jd->ji", Q, K) / np.sqrt(Q.shape[1])
    s = np.where(np.arange(n)[:, None] >= np.arange(n), s, -np.inf)
    p = np.exp(s - s.max(axis=1)[:, None])
    p = p / p.sum(axis=1)[:, None]
    return np.einsum("ij,jv->iv", p, V), p
