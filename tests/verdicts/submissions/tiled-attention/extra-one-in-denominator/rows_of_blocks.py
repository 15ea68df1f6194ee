import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(Q), block_size):
        s = Q[i : i + block_size] @ K.T / np.sqrt(Q.shape[1])
        if causal:
            s[np.arange(len(K)) > np.arange(i, i + len(s))[:, None]] = -np.inf
        e = np.exp(s - s.max(axis=1, keepdims=True))
        out[i : i + block_size] = e @ V / (1 + e.sum(axis=1, keepdims=True))
    return out
