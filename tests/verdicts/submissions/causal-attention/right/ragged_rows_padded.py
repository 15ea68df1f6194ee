import numpy as np


from math import exp, fsum, sqrt


def causal_attention(Q, K, V):
    T, d = Q.shape
    weights, output = [], []
    for t in range(T):
        s = [fsum(x * y for x, y in zip(Q[t].tolist(), K[j].tolist())) / sqrt(d) for j in range(t + 1)]
        top = max(s)
        e = [exp(x - top) for x in s]
        total = fsum(e)
        w = [x / total for x in e]
        weights.append(w + [0.0] * (T - 1 - t))
        output.append([fsum(a * float(V[j][c]) for j, a in enumerate(w)) for c in range(V.shape[1])])
    return np.array(output), np.array(weights)
