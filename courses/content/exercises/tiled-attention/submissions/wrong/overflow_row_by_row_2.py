import math

import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    n, width = Q.shape
    result = []
    for t in range(n):
        best, total, mix = -math.inf, 0.0, np.zeros(V.shape[1])
        stop = t + 1 if causal else n
        for start in range(0, stop, block_size):
            end = min(start + block_size, stop)
            s = K[start:end] @ Q[t] / math.sqrt(width)
            top = max(best, s.max())
            w = np.array([math.exp(x) for x in s])
            factor = np.exp(best - top)
            total = total + w.sum()
            mix = mix + w @ V[start:end]
            best = top
        result.append([x / float(total) for x in mix.tolist()])
    return np.array(result)
