import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    z, o = np.zeros((T, 1)), np.zeros(V.shape)
    for j in range(0, T, block_size):
        s = Q @ K[j : j + block_size].T / np.sqrt(d)
        if causal:
            s = np.where(np.arange(j, j + s.shape[1]) > np.arange(T)[:, None], -np.inf, s)
        e = np.exp(s)
        z += e.sum(axis=1, keepdims=True)
        o += e @ V[j : j + block_size]
    return o / z
