import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    n, d = Q.shape
    out = np.empty(V.shape)
    for i in range(0, n, block_size):
        q = Q[i : i + block_size]
        m = np.full(len(q), -np.inf)
        l, o = np.zeros(len(q)), np.zeros((len(q), V.shape[1]))
        for j in range(0, i + len(q) if causal else n, block_size):
            s = q @ K[j : j + block_size].T / np.sqrt(d)
            if causal:
                s = np.where(np.arange(i, i + len(q))[:, None] >= np.arange(j, j + s.shape[1]), s, -np.inf)
            new = np.maximum(m, s.max(axis=1))
            p = np.exp(s - new)
            f = np.exp(m - new)
            l, o, m = l * f + p.sum(axis=1), o * f[:, None] + p @ V[j : j + block_size], new
        out[i : i + block_size] = o / l[:, None]
    return out
