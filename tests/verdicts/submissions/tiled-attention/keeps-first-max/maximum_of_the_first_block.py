import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    out = np.empty(V.shape)
    for i in range(0, T, block_size):
        q = Q[i : i + block_size]
        m = None
        l, o = 0.0, 0.0
        for j in range(0, i + 1 if causal else T, block_size):
            s = q @ K[j : j + block_size].T / np.sqrt(d)
            if causal and j == i:
                s = np.where(np.tri(*s.shape) == 1, s, -np.inf)
            if m is None:
                m = s.max(axis=1, keepdims=True)
            p = np.exp(s - m)
            l = l + p.sum(axis=1, keepdims=True)
            o = o + p @ V[j : j + block_size]
        out[i : i + block_size] = o / l
    return out
