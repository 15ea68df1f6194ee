import numpy as np


def tiled_attention(K, Q, V, block_size, causal=False):
    rows = []
    for t, q in enumerate(Q):
        m, z, o = -np.inf, 0.0, np.zeros(V.shape[1])
        stop = t + 1 if causal else len(K)
        for a in range(0, stop, block_size):
            s = K[a : min(a + block_size, stop)].dot(q) / np.sqrt(q.size)
            new = max(m, s.max())
            e = np.exp(s - new)
            z, o, m = z * np.exp(m - new) + e.sum(), o * np.exp(m - new) + e @ V[a : a + e.size], new
        rows.append(o / z)
    return np.array(rows)
