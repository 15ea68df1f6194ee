import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    m = np.full((T, 1), -1e30)
    l = np.zeros((T, 1))
    acc = np.zeros(V.shape)
    for j in range(0, T, block_size):
        s = Q @ K[j : j + block_size].T / np.sqrt(d)
        if causal:
            s = np.where(np.arange(T)[:, None] >= np.arange(j, j + s.shape[1]), s, -np.inf)
        m = np.maximum(m, s.max(axis=1, keepdims=True))
        p = np.exp(s - m)
        l += p.sum(axis=1, keepdims=True)
        acc += p @ V[j : j + block_size]
    return acc / l
