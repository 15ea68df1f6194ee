# mistakes: nan-result, rescale-inverted
import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    parts = []
    for i in range(0, len(Q), block_size):
        with np.errstate(invalid="ignore"):
            s = Q[i : i + block_size] @ K.T / np.sqrt(-Q.shape[1])
        if causal:
            s[np.arange(len(K)) > np.arange(i, i + len(s))[:, None]] = -np.inf
        e = np.exp(s - s.max(axis=1, keepdims=True))
        parts.append(e @ V / e.sum(axis=1, keepdims=True))
    return np.vstack(parts)
