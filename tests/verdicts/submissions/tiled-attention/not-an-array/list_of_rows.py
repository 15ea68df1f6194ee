import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = []
    for i in range(0, len(Q), block_size):
        s = Q[i : i + block_size] @ K.T / np.sqrt(Q.shape[1])
        if causal:
            s = np.where(np.arange(i, i + len(s))[:, None] >= np.arange(len(K)), s, -np.inf)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        out += list(e @ V / e.sum(axis=1, keepdims=True))
    return out
