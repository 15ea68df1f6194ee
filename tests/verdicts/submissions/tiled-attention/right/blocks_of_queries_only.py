import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    parts = []
    for i in range(0, len(Q), block_size):
        stop = i + block_size if causal else len(K)
        s = Q[i : i + block_size] @ K[:stop].T / np.sqrt(Q.shape[1])
        if causal:
            s[np.arange(s.shape[1]) > np.arange(i, i + len(s))[:, None]] = -np.inf
        e = np.exp(s - s.max(axis=1, keepdims=True))
        parts.append(e @ V[:stop] / e.sum(axis=1, keepdims=True))
    return np.concatenate(parts)
