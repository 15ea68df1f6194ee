from math import exp, sqrt

import numpy as np


def causal_attention(Q, K, V):
    n, d, dv = len(Q), len(Q[0]), len(V[0])
    W = [[0.0] * n for _ in range(n)]
    O = [[0.0] * dv for _ in range(n)]
    for i in range(n):
        s = []
        for j in range(i + 1):
            s.append(sum(float(Q[i][c]) * float(K[j][c]) for c in range(d)) / sqrt(d))
        m = max(s)
        z = sum(exp(v - m) for v in s)
        for j in range(i + 1):
            W[i][j] = exp(s[j] - m) / z
            for c in range(dv):
                O[i][c] += W[i][j] * float(V[j][c])
    return np.array(O), np.array(W)
