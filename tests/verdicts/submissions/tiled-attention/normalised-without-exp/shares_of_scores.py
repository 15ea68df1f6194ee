import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T = len(Q)
    z, o = np.zeros((T, 1)), np.zeros(V.shape)
    for a in range(0, T, block_size):
        s = np.einsum("id,jd->ij", Q, K[a : a + block_size]) / np.sqrt(Q.shape[1])
        if causal:
            s[np.arange(T)[:, None] < np.arange(a, a + s.shape[1])] = 0
        z += s.sum(axis=1, keepdims=True)
        o += s @ V[a : a + block_size]
    return o / z
