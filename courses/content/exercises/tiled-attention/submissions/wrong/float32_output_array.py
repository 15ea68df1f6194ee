import math

import numpy as np


def tiled_attention(Q, K, V, block_size, causal=False):
    n = len(Q)
    out = np.empty((n, V.shape[1]), dtype="f4")
    for t, query in enumerate(Q / math.sqrt(Q.shape[1])):
        seen = t + 1 if causal else n
        cuts = range(0, seen, block_size)
        top = max((K[c:min(c + block_size, seen)] @ query).max() for c in cuts)
        total, blend = 0.0, 0.0
        for c in cuts:
            e = np.exp(K[c:min(c + block_size, seen)] @ query - top)
            total, blend = total + e.sum(), blend + e @ V[c:min(c + block_size, seen)]
        out[t] = blend / total
    return out
