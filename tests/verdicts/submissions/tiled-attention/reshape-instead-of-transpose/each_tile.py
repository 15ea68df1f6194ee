import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    n, d = Q.shape
    out = np.zeros(V.shape)
    for i in range(0, n, block_size):
        q = Q[i : i + block_size]
        m, l, o = np.full((len(q), 1), -np.inf), 0.0, 0.0
        for j in range(0, i + len(q) if causal else n, block_size):
            k = K[j : j + block_size]
            s = q @ k.reshape(d, len(k)) / np.sqrt(d)
            if causal:
                s = np.where(np.arange(j, j + len(k)) <= np.arange(i, i + len(q))[:, None], s, -np.inf)
            new = np.maximum(m, s.max(axis=1, keepdims=True))
            p, f = np.exp(s - new), np.exp(m - new)
            l, o, m = l * f + p.sum(axis=1, keepdims=True), o * f + p @ V[j : j + block_size], new
        out[i : i + block_size] = o / l
    return out
