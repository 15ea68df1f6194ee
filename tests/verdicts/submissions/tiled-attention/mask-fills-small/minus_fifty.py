import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    m, z, o = np.full(T, -np.inf), np.zeros(T), np.zeros(V.shape)
    for a in range(0, T, block_size):
        s = Q @ K[a : a + block_size].T / np.sqrt(d)
        if causal:
            s = np.where(np.arange(T)[:, None] >= np.arange(a, a + s.shape[1]), s, -50.0)
        new = np.maximum(m, s.max(axis=1))
        f, p = np.exp(m - new), np.exp(s - new[:, None])
        z, o, m = z * f + p.sum(axis=1), o * f[:, None] + p @ V[a : a + block_size], new
    return o / z[:, None]
