import math

import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    n, width = Q.shape
    result = []
    for t in range(n):
        best, total, mix = np.float32(-np.inf), np.float32(0), np.zeros(V.shape[1], np.float32)
        stop = t + 1 if causal else n
        for start in range(0, stop, block_size):
            end = min(start + block_size, stop)
            s = (K[start:end] @ Q[t] / math.sqrt(width)).astype(np.float32)
            top = max(best, s.max())
            w = np.exp(s - top)
            factor = np.exp(best - top)
            total = total * factor + w.sum()
            mix = mix * factor + w @ V[start:end].astype(np.float32)
            best = top
        result.append(mix / total)
    return np.array(result, dtype=float)
