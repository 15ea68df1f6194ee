import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    Q, K, V = (M.astype(np.float32) for M in (Q, K, V))
    T, d = Q.shape
    out = np.zeros(V.shape, np.float32)
    for i in range(0, T, block_size):
        s = Q[i : i + block_size] @ K.T / np.float32(np.sqrt(d))
        if causal:
            s = np.where(np.arange(T) <= np.arange(i, i + len(s))[:, None], s, np.float32(-np.inf))
        e = np.exp(s - s.max(axis=1, keepdims=True))
        out[i : i + block_size] = e @ V / e.sum(axis=1, keepdims=True)
    return out.astype(np.float64)
