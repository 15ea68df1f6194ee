import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    n = len(Q)
    tiles = {}
    for i in range(0, n, block_size):
        for j in range(0, n, block_size):
            s = Q[i:i + block_size] @ K[j:j + block_size].T / np.sqrt(Q.shape[1])
            if causal:
                s = np.where(j + np.arange(s.shape[1]) > i + np.arange(s.shape[0])[:, None], -np.inf, s)
            tiles[i, j] = s
    rows = []
    for i in range(0, n, block_size):
        top = np.max([tiles[i, j].max(axis=1) for j in range(0, n, block_size)], axis=0)[:, None]
        total = sum(np.exp(tiles[i, j] - top).sum(axis=1, keepdims=True) for j in range(0, n, block_size))
        rows.append(sum(np.exp(tiles[i, j] - top) @ V[j:j + block_size] for j in range(0, n, block_size)) / total)
    return np.concatenate(rows)
