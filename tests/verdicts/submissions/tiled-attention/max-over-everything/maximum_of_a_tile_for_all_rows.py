import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros(V.shape)
    for i in range(0, len(Q), block_size):
        s = Q[i : i + block_size] @ K.T / np.sqrt(Q.shape[1])
        if causal:
            s = np.where(np.arange(len(K)) <= np.arange(i, i + len(s))[:, None], s, -np.inf)
        e = np.exp(s - np.max(s))
        out[i : i + block_size] = e @ V / e.sum(axis=1)[:, None]
    return out
