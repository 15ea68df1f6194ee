import numpy as np


def attention(Q, K, V, causal=False):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    Tq, Tk = s.shape[-2:]
    if causal:
        s = np.where(np.tri(Tq, Tk, Tk - Tq, dtype=bool), s, -np.inf)
    w = np.exp(s) / np.sum(np.exp(s), axis=-1, keepdims=True)
    return np.nan_to_num(w) @ V
