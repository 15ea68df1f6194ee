import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    parts = []
    for a in range(0, len(Q), block_size):
        s = Q[a : a + block_size] @ K.T / np.sqrt(Q.shape[1])
        if causal:
            s = np.where(np.arange(len(K)) <= np.arange(a, a + len(s))[:, None], s, -np.inf)
        e = np.exp(s - s.max())
        parts.append(e / e.sum() @ V)
    return np.vstack(parts)
