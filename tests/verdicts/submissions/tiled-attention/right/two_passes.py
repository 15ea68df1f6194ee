import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape

    def tiles():
        for a in range(0, T, block_size):
            s = Q @ K[a : a + block_size].T / np.sqrt(d)
            if causal:
                s = np.where(np.arange(T)[:, None] >= np.arange(a, a + s.shape[1]), s, -np.inf)
            yield s, V[a : a + block_size]

    top = np.full((T, 1), -np.inf)
    for s, _ in tiles():
        top = np.maximum(top, s.max(axis=1, keepdims=True))
    total, out = np.zeros((T, 1)), np.zeros(V.shape)
    for s, v in tiles():
        e = np.exp(s - top)
        total += e.sum(axis=1, keepdims=True)
        out += e @ v
    return out / total
