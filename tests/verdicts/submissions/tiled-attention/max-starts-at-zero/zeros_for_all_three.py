import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    n, d = Q.shape
    out = np.zeros(V.shape)
    for i in range(0, n, block_size):
        q = Q[i : i + block_size]
        m, l, o = np.zeros(len(q)), np.zeros(len(q)), np.zeros((len(q), V.shape[1]))
        for j in range(0, i + len(q) if causal else n, block_size):
            s = q @ K[j : j + block_size].T / np.sqrt(d)
            if causal:
                s = np.where(np.arange(j, j + s.shape[1]) <= np.arange(i, i + len(q))[:, None], s, -np.inf)
            new = np.maximum(m, s.max(axis=1))
            p = np.exp(s - new[:, None])
            l = l * np.exp(m - new) + p.sum(axis=1)
            o = o * np.exp(m - new)[:, None] + p @ V[j : j + block_size]
            m = new
        out[i : i + len(q)] = o / l[:, None]
    return out
