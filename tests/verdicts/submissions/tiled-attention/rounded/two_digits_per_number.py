import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = []
    for t, q in enumerate(Q):
        stop = t + 1 if causal else len(K)
        m, z, o = -np.inf, 0.0, 0.0
        for a in range(0, stop, block_size):
            s = K[a : min(a + block_size, stop)] @ q / np.sqrt(q.size)
            new = max(m, s.max())
            p, f = np.exp(s - new), np.exp(m - new)
            z, o, m = z * f + p.sum(), o * f + p @ V[a : a + p.size], new
        out.append([round(float(x), 2) for x in o / z])
    return np.array(out)
