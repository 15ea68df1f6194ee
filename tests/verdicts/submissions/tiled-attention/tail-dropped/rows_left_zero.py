import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T = len(Q)
    out = np.zeros(V.shape)
    for i in range(T // block_size):
        rows = slice(i * block_size, (i + 1) * block_size)
        s = Q[rows] @ K.T / np.sqrt(Q.shape[1])
        if causal:
            s[np.arange(T)[None, :] > np.arange(T)[rows, None]] = -np.inf
        p = np.exp(s - s.max(axis=1, keepdims=True))
        out[rows] = p @ V / p.sum(axis=1, keepdims=True)
    return out
