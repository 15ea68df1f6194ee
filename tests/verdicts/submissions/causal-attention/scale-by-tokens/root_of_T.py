import numpy as np


from math import sqrt


def causal_attention(Q, K, V):
    n = len(K)
    weights = []
    for t in range(n):
        s = [sum(a * b for a, b in zip(Q[t], K[j])) / sqrt(n) for j in range(t + 1)]
        e = np.exp(np.array(s) - max(s))
        weights.append(np.pad(e / e.sum(), (0, n - t - 1)))
    weights = np.array(weights)
    return weights @ V, weights
