import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    out = np.zeros(V.shape)
    for i in range(0, T, block_size):
        s = Q[i : i + block_size] @ K.T / np.sqrt(d)
        if causal:
            s[np.arange(T) >= np.arange(i, i + len(s))[:, None]] = -np.inf
        e = np.exp(s - s.max(axis=1, keepdims=True))
        out[i : i + block_size] = e @ V / e.sum(axis=1, keepdims=True)
    return out
