import numpy as np


def attention(Q, K, V, causal=False):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    Tq, Tk = s.shape[-2:]
    if causal:
        s = np.where(np.tri(Tq, Tk, Tk - Tq, dtype=bool), s, -np.inf)
    e = np.exp(s - s.max())
    return e @ V / (e.sum(-1)[..., None] + 1e-8)
