import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    n, d = Q.shape
    out = np.zeros(V.shape)
    for i in range(0, n, block_size):
        q = Q[i : i + block_size]
        m, l, o = np.full(len(q), -np.inf), np.zeros(len(q)), np.zeros((len(q), V.shape[1]))
        for j in range(0, i + 1 if causal else n, block_size):
            s = q @ K[j : j + block_size].T / np.sqrt(d)
            if causal and i == j:
                s[np.triu_indices_from(s, 1)] = -np.inf
            new = np.maximum(m, s.max(axis=0))
            p = np.exp(s - new)
            l = l * np.exp(m - new) + p.sum(axis=0)
            o = o * np.exp(m - new)[:, None] + p @ V[j : j + block_size]
            m = new
        out[i : i + len(q)] = o / l[:, None]
    return out
