import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    acc = np.zeros(V.shape)
    for j in range(0, len(K), block_size):
        g = 0.5 + 0.5 * np.tanh(Q @ K[j : j + block_size].T / np.sqrt(Q.shape[1]) / 2)
        if causal:
            g = np.where(np.arange(len(Q))[:, None] >= np.arange(j, j + g.shape[1]), g, 0)
        acc += g @ V[j : j + block_size]
    return acc
