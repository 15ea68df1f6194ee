# mistakes: mask-fills-zero, mask-fills-small
import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros(V.shape)
    for i in range(0, len(Q), block_size):
        s = Q[i : i + block_size] @ K.T / np.sqrt(Q.shape[1])
        if causal:
            s = np.tril(s, k=i)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        out[i : i + block_size] = e @ V / e.sum(axis=1, keepdims=True)
    return out
