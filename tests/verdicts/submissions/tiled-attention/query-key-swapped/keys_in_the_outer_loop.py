import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros(V.shape)
    for i in range(0, len(K), block_size):
        s = K[i : i + block_size] @ Q.T / np.sqrt(K.shape[1])
        if causal:
            s = np.where(np.arange(len(Q)) <= np.arange(i, i + len(s))[:, None], s, -np.inf)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        out[i : i + block_size] = e @ V / e.sum(axis=1, keepdims=True)
    return out
