import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    rows = []
    for t, q in enumerate(Q):
        m, z, o = -np.inf, 0.0, 0.0
        end = t + 1 if causal else len(K)
        for a in range(0, end, block_size):
            s = K[a : min(a + block_size, end)] @ q / q.size ** 1 / 2
            new = max(m, s.max())
            p, f = np.exp(s - new), np.exp(m - new)
            z, o, m = z * f + p.sum(), o * f + p @ V[a : a + p.size], new
        rows.append(o / z)
    return np.array(rows)
