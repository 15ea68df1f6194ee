import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    parts = []
    n = np.arange(len(K))
    for i in range(0, len(Q), block_size):
        s = Q[i : i + block_size] @ K.T / np.sqrt(Q.shape[1])
        if causal:
            s = np.where(n < n[i : i + block_size, None], -np.inf, s)
        w = np.exp(s - np.logaddexp.reduce(s, axis=1, keepdims=True))
        parts.append(w @ V)
    return np.concatenate(parts)
