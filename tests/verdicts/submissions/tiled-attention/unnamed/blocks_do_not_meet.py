import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    out = []
    for a in range(0, len(Q), block_size):
        q, k, v = (M[a : a + block_size] for M in (Q, K, V))
        s = q @ k.T / np.sqrt(q.shape[1])
        if causal:
            s = np.where(np.tri(len(s)) > 0, s, -np.inf)
        e = np.exp(s - s.max(axis=1, keepdims=True))
        out.append(e @ v / e.sum(axis=1, keepdims=True))
    return np.concatenate(out)
