import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    T = len(Q)
    out = np.empty(V.shape, dtype="float32")
    for i in range(0, T, block_size):
        s = np.einsum("id,jd->ij", Q[i : i + block_size], K) / np.sqrt(Q.shape[1])
        if causal:
            s = np.where(np.arange(T) <= np.arange(i, i + len(s))[:, None], s, -np.inf)
        out[i : i + block_size] = np.exp(s - np.logaddexp.reduce(s, axis=1, keepdims=True)) @ V
    return out
