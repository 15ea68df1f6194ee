import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    m, z, o = np.full((T, 1), -1e30), np.zeros((T, 1)), np.zeros(K.shape)
    for a in range(0, T, block_size):
        k = K[a : a + block_size]
        s = Q @ k.T / np.sqrt(d)
        if causal:
            s = np.where(np.arange(T)[:, None] >= np.arange(a, a + len(k)), s, -np.inf)
        new = np.maximum(m, s.max(axis=1, keepdims=True))
        f, p = np.exp(m - new), np.exp(s - new)
        z, o, m = z * f + p.sum(axis=1, keepdims=True), o * f + p @ k, new
    return o / z
