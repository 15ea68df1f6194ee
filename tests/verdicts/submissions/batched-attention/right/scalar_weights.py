import math

import numpy as np


def attention(Q, K, V, causal=False):
    *lead, n, d = Q.shape
    m, dv = V.shape[-2:]
    out = np.zeros((*lead, n, dv))
    for b in np.ndindex(*lead):
        for i in range(n):
            seen = range(m - n + i + 1) if causal else range(m)
            score = {j: math.fsum(Q[b + (i,)] * K[b + (j,)]) / math.sqrt(d) for j in seen}
            top = max(score.values())
            weight = {j: math.exp(one - top) for j, one in score.items()}
            total = math.fsum(weight.values())
            for j in seen:
                out[b + (i,)] += weight[j] / total * V[b + (j,)]
    return out
