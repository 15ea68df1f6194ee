import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    n, d = Q.shape
    out = np.empty(V.shape)
    for i in range(0, n, block_size):
        rows = slice(i, min(i + block_size, n))
        m = z = o = None
        for j in range(0, rows.stop if causal else n, block_size):
            cols = slice(j, min(j + block_size, n))
            s = Q[rows] @ K[cols].T / np.sqrt(d)
            if causal:
                s = np.where(np.arange(cols.start, cols.stop) > np.arange(rows.start, rows.stop)[:, None], -np.inf, s)
            if m is None:
                m = s.max(axis=1, keepdims=True)
                p = np.exp(s - m)
                z, o = p.sum(axis=1, keepdims=True), p @ V[cols]
                continue
            new = np.maximum(m, s.max(axis=1, keepdims=True))
            correction = np.exp(new - m)
            p = np.exp(s - new)
            z = z * correction + p.sum(axis=1, keepdims=True)
            o = o * correction + p @ V[cols]
            m = new
        out[rows] = o / z
    return out
