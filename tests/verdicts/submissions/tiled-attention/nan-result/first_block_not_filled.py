import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T = len(Q)
    out = np.full(V.shape, np.nan)
    for i in range(0, T, block_size):
        rows = slice(i + 1, i + block_size)
        s = Q[rows] @ K.T / np.sqrt(Q.shape[1])
        if causal:
            s = np.where(np.arange(T) > np.arange(T)[rows, None], -np.inf, s)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        out[rows] = e @ V / e.sum(axis=1, keepdims=True)
    return out
