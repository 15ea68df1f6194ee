# mistakes: scaled-twice, scale-by-width
import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    Q = Q / np.sqrt(d)
    out = np.zeros(V.shape)
    for i in range(0, T, block_size):
        q = Q[i : i + block_size]
        m, l, o = np.full((len(q), 1), -np.inf), 0.0, 0.0
        for j in range(0, i + 1 if causal else T, block_size):
            s = q @ K[j : j + block_size].T / np.sqrt(d)
            if causal and i == j:
                s = np.where(np.tri(*s.shape) > 0, s, -np.inf)
            new = np.maximum(m, s.max(axis=1, keepdims=True))
            f, p = np.exp(m - new), np.exp(s - new)
            l, o, m = l * f + p.sum(axis=1, keepdims=True), o * f + p @ V[j : j + block_size], new
        out[i : i + block_size] = o / l
    return out
