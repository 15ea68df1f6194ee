import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    weights = []
    for i in range(0, len(Q), block_size):
        s = np.inner(Q[i : i + block_size], K) / np.sqrt(Q.shape[1])
        if causal:
            s = np.where(np.arange(i, i + len(s))[:, None] >= np.arange(len(K)), s, -np.inf)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        weights.append(e / e.sum(axis=1, keepdims=True))
    return np.concatenate(weights).T @ V
