import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    m, z, o = np.full((T, 1), -1e40), np.zeros((T, 1)), np.zeros(V.shape)
    for j in range(0, T, block_size):
        s = Q @ K[j : j + block_size].T / np.sqrt(d)
        if causal:
            s += np.where(np.arange(j, j + s.shape[1]) > np.arange(T)[:, None], -np.inf, 0)
        new = np.maximum(m, s.max(axis=1, keepdims=True))
        f, p = np.exp2(m - new), np.exp2(s - new)
        z, o, m = z * f + p.sum(axis=1, keepdims=True), o * f + p @ V[j : j + block_size], new
    return o / z
