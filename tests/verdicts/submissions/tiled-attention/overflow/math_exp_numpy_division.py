import numpy as np
from math import exp, sqrt


def tiled_attention(Q, K, V, block_size, causal=False):
    out = np.zeros(V.shape)
    for t in range(len(Q)):
        total = 0.0
        last = t + 1 if causal else len(K)
        for start in range(0, last, block_size):
            for j in range(start, min(start + block_size, last)):
                w = exp(float(Q[t] @ K[j]) / sqrt(Q.shape[1]))
                total += w
                out[t] += w * V[j]
        out[t] /= total
    return out
