import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = []
    for i in range(0, len(Q), block_size):
        s = Q[i : i + block_size] @ K.T / np.sqrt(Q.shape[1])
        e = np.exp(s - s.max(axis=1, keepdims=True))
        p = e / e.sum(axis=1, keepdims=True)
        if causal:
            p = np.tril(p, k=i)
        out.append(p @ V)
    return np.concatenate(out)
