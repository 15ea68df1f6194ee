# mistakes: scores-blended, no-softmax
import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    acc = np.zeros(V.shape)
    m = np.full((T, 1), -np.inf)
    for j in range(0, T, block_size):
        s = np.einsum("id,jd->ij", Q, K[j : j + block_size]) / np.sqrt(d)
        if causal:
            s = np.where(np.arange(T)[:, None] < np.arange(j, j + s.shape[1]), 0.0, s)
        m = np.maximum(m, s.max(axis=1, keepdims=True))
        p = np.exp(s - m)
        assert p.shape == s.shape
        acc = acc + s @ V[j : j + block_size]
    return acc
