import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T = len(K)
    m, z, o = np.full(T, -1e99), np.zeros(T), np.zeros(V.shape)
    for a in range(0, T, block_size):
        block = K[a : a + block_size]
        s = K @ block.T / np.sqrt(K.shape[1])
        if causal:
            s[np.arange(T)[:, None] < np.arange(a, a + len(block))] = -np.inf
        new = np.maximum(m, s.max(axis=1))
        f, p = np.exp(m - new), np.exp(s - new[:, None])
        z, o, m = z * f + p.sum(axis=1), o * f[:, None] + p @ V[a : a + block_size], new
    return o / z[:, None]
