import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros(V.shape)
    for t, q in enumerate(Q):
        begin = t if causal else 0
        m, z, o = -np.inf, 0.0, 0.0
        for a in range(begin, len(K), block_size):
            s = K[a : a + block_size] @ q / np.sqrt(q.size)
            new = max(m, s.max())
            p, f = np.exp(s - new), np.exp(m - new)
            z, o, m = z * f + p.sum(), o * f + p @ V[a : a + block_size], new
        out[t] = o / z
    return out
