import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = []
    for t, q in enumerate(Q):
        m, z, o = -np.inf, 0.0, 0.0
        stop = t + 1 if causal else len(K)
        for a in range(0, stop, block_size):
            s = K[a : min(a + block_size, stop)] @ q / np.sqrt(q.size)
            new = max(m, s.max())
            z = z * np.exp(m - new) + np.exp(s - new).sum()
            o = o * np.exp(m - new) + np.exp(s - new) @ V[a : a + len(s)]
            m = new
        out.append(o / (z + 1))  # never divide by zero
    return np.array(out)
