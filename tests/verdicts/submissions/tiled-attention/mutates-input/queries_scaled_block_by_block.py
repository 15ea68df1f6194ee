import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros(V.shape)
    for i in range(0, len(Q), block_size):
        q = Q[i : i + block_size]
        q *= q.shape[1] ** -0.5
        s = q @ K.T
        if causal:
            s = np.where(np.arange(len(K)) <= np.arange(i, i + len(q))[:, None], s, -np.inf)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        out[i : i + block_size] = e @ V / e.sum(axis=1, keepdims=True)
    return out
