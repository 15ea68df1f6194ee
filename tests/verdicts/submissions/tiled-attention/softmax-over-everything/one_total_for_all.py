import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    blocks = [slice(a, min(a + block_size, T)) for a in range(0, T, block_size)]

    def scores(b):
        s = Q @ K[b].T / np.sqrt(d)
        return np.where(np.arange(T)[:, None] < np.arange(T)[b], -np.inf, s) if causal else s

    top = max(scores(b).max() for b in blocks)
    total, acc = 0.0, np.zeros(V.shape)
    for b in blocks:
        e = np.exp(scores(b) - top)
        total += e.sum()
        acc += e @ V[b]
    return acc / total
