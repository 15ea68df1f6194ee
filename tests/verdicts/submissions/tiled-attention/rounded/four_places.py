import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    parts = []
    for i in range(0, len(Q), block_size):
        s = np.inner(Q[i : i + block_size], K) / np.sqrt(Q.shape[1])
        if causal:
            s[np.arange(len(K)) > np.arange(i, i + len(s))[:, None]] = -np.inf
        w = np.exp(s - np.logaddexp.reduce(s, axis=1, keepdims=True))
        parts.append((w @ V).round(4))
    return np.vstack(parts)
