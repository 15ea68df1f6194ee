# mistakes: nan-result, rescale-inverted
import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T = len(Q)
    m, z, o = np.full((T, 1), np.inf), np.zeros((T, 1)), np.zeros(V.shape)
    for a in range(0, T, block_size):
        s = Q @ K[a : a + block_size].T / np.sqrt(Q.shape[1])
        if causal:
            s = np.where(np.arange(T)[:, None] >= np.arange(a, a + s.shape[1]), s, -np.inf)
        new = np.maximum(m, s.max(axis=1, keepdims=True))
        with np.errstate(invalid="ignore"):
            f, p = np.exp(m - new), np.exp(s - new)
            z, o, m = z * f + p.sum(axis=1, keepdims=True), o * f + p @ V[a : a + block_size], new
    return o / z
