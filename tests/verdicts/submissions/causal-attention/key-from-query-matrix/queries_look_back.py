import numpy as np


from math import exp, fsum, sqrt


def causal_attention(Q, K, V):
    T, d = Q.shape
    rows = []
    for t in range(T):
        s = [fsum(a * b for a, b in zip(Q[t], Q[j])) / sqrt(d) for j in range(t + 1)]
        e = [exp(x - max(s)) for x in s]
        rows.append([x / fsum(e) for x in e] + [0.0] * (T - t - 1))
    rows = np.array(rows)
    return rows @ V, rows
