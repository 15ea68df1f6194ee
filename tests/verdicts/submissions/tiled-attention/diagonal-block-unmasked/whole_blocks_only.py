import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    n, d = Q.shape
    out = np.zeros(V.shape)
    for i in range(0, n, block_size):
        q = Q[i : i + block_size]
        m, l, o = np.full((len(q), 1), -np.inf), 0.0, 0.0
        for j in range(0, n, block_size):
            if causal and j > i:
                break  # this block lies in the future
            s = q @ K[j : j + block_size].T / np.sqrt(d)
            new = np.maximum(m, s.max(axis=1, keepdims=True))
            f, p = np.exp(m - new), np.exp(s - new)
            l, o, m = l * f + p.sum(axis=1, keepdims=True), o * f + p @ V[j : j + block_size], new
        out[i : i + block_size] = o / l
    return out
