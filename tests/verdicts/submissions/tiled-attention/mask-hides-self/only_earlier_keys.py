import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    rows = []
    for t in range(len(Q)):
        stop = t if causal else len(K)
        if stop == 0:
            rows.append(np.zeros(V.shape[1]))  # nobody to look at yet
            continue
        m, z, o = -np.inf, 0.0, 0.0
        for a in range(0, stop, block_size):
            s = K[a : min(a + block_size, stop)].dot(Q[t]) / np.sqrt(Q.shape[1])
            new = max(m, s.max())
            p, f = np.exp(s - new), np.exp(m - new)
            z, o, m = z * f + p.sum(), o * f + p @ V[a : a + p.size], new
        rows.append(o / z)
    return np.array(rows)
