import math

import numpy as np


def causal_attention(Q, K, V):
    n = len(Q)
    seen = [(i, j) for i in range(n) for j in range(i + 1)]
    scores = {p: float(Q[p[0]] @ K[p[1]]) / math.sqrt(Q.shape[1]) for p in seen}
    top = max(scores.values())
    total = sum(math.exp(s - top) for s in scores.values())
    W = np.zeros((n, n))
    for (i, j), s in scores.items():
        W[i, j] = math.exp(s - top) / total
    return W @ V, W
