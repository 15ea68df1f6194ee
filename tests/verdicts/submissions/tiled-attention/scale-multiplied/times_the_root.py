import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros(V.shape)
    q = Q * np.sqrt(Q.shape[1])
    for i in range(0, len(Q), block_size):
        s = q[i : i + block_size] @ K.T
        if causal:
            s = np.where(np.arange(i, i + len(s))[:, None] >= np.arange(len(K)), s, -np.inf)
        e = np.exp(s - s.max(axis=1)[:, None])
        out[i : i + block_size] = e @ V / e.sum(axis=1)[:, None]
    return out
