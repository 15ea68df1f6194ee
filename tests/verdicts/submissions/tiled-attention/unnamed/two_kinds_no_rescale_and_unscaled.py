import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T = len(Q)
    m, z, o = np.full((T, 1), -1e30), np.zeros((T, 1)), np.zeros(V.shape)
    for a in range(0, T, block_size):
        s = Q @ K[a : a + block_size].T
        if causal:
            s = np.where(np.arange(T)[:, None] >= np.arange(a, a + s.shape[1]), s, -np.inf)
        m = np.maximum(m, s.max(axis=1, keepdims=True))
        p = np.exp(s - m)
        z, o = z + p.sum(axis=1, keepdims=True), o + p @ V[a : a + block_size]
    return o / z
