import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    cuts = [slice(a, min(a + block_size, T)) for a in range(0, T, block_size)]
    out = np.zeros(V.shape)
    for rows in cuts:
        m, l, o = np.full((rows.stop - rows.start, 1), -np.inf), 0.0, 0.0
        for cols in cuts:
            if causal and cols.start >= rows.stop:
                break
            s = Q[rows] @ Q[cols].T / np.sqrt(d)
            if causal:
                s = np.where(np.arange(T)[cols] <= np.arange(T)[rows, None], s, -np.inf)
            new = np.maximum(m, s.max(axis=1, keepdims=True))
            f, p = np.exp(m - new), np.exp(s - new)
            l, o, m = l * f + p.sum(axis=1, keepdims=True), o * f + p @ V[cols], new
        out[rows] = o / l
    return out
