import numpy as np


def tiles(length, size):
    start = 0
    while start < length:
        yield start, min(start + size, length)
        start += size


def tiled_attention(Q, K, V, block_size, causal=False):
    scale = Q.shape[1] ** -0.5
    blocks = []
    for first, last in tiles(len(Q), block_size):
        query = Q[first:last] * scale
        state = (np.full(last - first, -np.inf), np.zeros(last - first), np.zeros((last - first, V.shape[1])))
        for start, stop in tiles(last if causal else len(K), block_size):
            score = np.matmul(query, K[start:stop].transpose())
            if causal and stop > first:
                score = np.where(np.subtract.outer(np.arange(first, last), np.arange(start, stop)) < 0, -1e30, score)
            largest, total, blend = state
            higher = np.maximum(largest, score.max(axis=-1))
            old, new = np.exp(largest - higher), np.exp(score - higher[:, None])
            state = higher, old * total + new.sum(axis=-1), old[:, None] * blend + new @ V[start:stop]
        blocks.append(state[2] / state[1][:, None])
    return np.vstack(blocks)
