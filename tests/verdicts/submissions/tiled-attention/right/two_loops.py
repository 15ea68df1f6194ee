import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    n, d = Q.shape
    out = np.empty(V.shape)
    for i in range(0, n, block_size):
        q = Q[i : i + block_size] / np.sqrt(d)
        m, l, o = np.full((len(q), 1), -np.inf), np.zeros((len(q), 1)), np.zeros((len(q), V.shape[1]))
        for j in range(0, i + 1 if causal else n, block_size):
            s = q @ K[j : j + block_size].T
            if causal and i == j:
                s = np.where(np.tri(*s.shape) == 1, s, -np.inf)
            new = np.maximum(m, s.max(axis=1, keepdims=True))
            f, p = np.exp(m - new), np.exp(s - new)
            l, o, m = l * f + p.sum(axis=1, keepdims=True), o * f + p @ V[j : j + block_size], new
        out[i : i + block_size] = o / l
    return out
