import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    blocks = T // block_size
    m, z, o = np.full((T, 1), -1e25), np.zeros((T, 1)), np.zeros(V.shape)
    for b in range(blocks):
        k, v = (M[b * block_size : (b + 1) * block_size] for M in (K, V))
        s = Q @ k.T / np.sqrt(d)
        if causal:
            s = np.where(np.arange(T)[:, None] < b * block_size + np.arange(block_size), -np.inf, s)
        new = np.maximum(m, s.max(axis=1, keepdims=True))
        f, p = np.exp(m - new), np.exp(s - new)
        z, o, m = z * f + p.sum(axis=1, keepdims=True), o * f + p @ v, new
    return o / z
