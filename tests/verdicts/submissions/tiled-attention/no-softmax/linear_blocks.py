# mistakes: no-softmax, scores-blended
import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T, d = Q.shape
    acc = np.zeros(V.shape)
    for j in range(0, T, block_size):
        s = Q @ K[j : j + block_size].T / np.sqrt(d)
        if causal:
            s = s * (np.arange(T)[:, None] >= np.arange(j, j + s.shape[1]))
        acc += s @ V[j : j + block_size]
    return acc
