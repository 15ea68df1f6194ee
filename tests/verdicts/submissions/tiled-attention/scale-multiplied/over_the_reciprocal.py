import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    scale = Q.shape[1] ** -0.5
    rows = []
    for t in range(len(Q)):
        stop = t + 1 if causal else len(K)
        pieces = [(K[a : min(a + block_size, stop)] @ Q[t] / scale, a) for a in range(0, stop, block_size)]
        top = max(p.max() for p, _ in pieces)
        z = sum(np.exp(p - top).sum() for p, _ in pieces)
        rows.append(sum(np.exp(p - top) @ V[a : a + len(p)] for p, a in pieces) / z)
    return np.stack(rows)
