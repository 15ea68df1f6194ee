import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    rows = []
    for t in range(len(Q)):
        end = t + 1 if causal else len(K)
        shift = None
        numerator, denominator = np.zeros(V.shape[1]), 0.0
        for a in range(0, end, block_size):
            b = min(a + block_size, end)
            s = K[a:b].dot(Q[t]) / np.sqrt(Q.shape[1])
            shift = s.max() if shift is None else shift
            e = np.exp(s - shift)
            numerator = numerator + e.dot(V[a:b])
            denominator = denominator + e.sum()
        rows.append(numerator / denominator)
    return np.vstack(rows)
