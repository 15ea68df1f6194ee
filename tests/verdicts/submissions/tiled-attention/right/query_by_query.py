import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros((len(Q), V.shape[1]))
    for t, q in enumerate(Q):
        m, z = -np.inf, 0.0
        stop = t + 1 if causal else len(K)
        for a in range(0, stop, block_size):
            s = K[a : min(a + block_size, stop)] @ q / np.sqrt(q.size)
            new = max(m, s.max())
            p = np.exp(s - new)
            z = z * np.exp(m - new) + p.sum()
            out[t] = out[t] * np.exp(m - new) + p @ V[a : a + p.size]
            m = new
        out[t] /= z
    return out
