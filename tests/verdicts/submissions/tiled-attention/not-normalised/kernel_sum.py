# mistakes: not-normalised, never-divided
import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T = len(Q)
    acc = np.zeros_like(V)
    for j in range(0, T, block_size):
        k, v = K[j : j + block_size], V[j : j + block_size]
        kernel = np.exp(Q @ k.T / np.sqrt(k.shape[1]))
        if causal:
            kernel = np.where(np.arange(T)[:, None] >= np.arange(j, j + len(k)), kernel, 0)
        acc = acc + kernel @ v
    return acc
