import math

import numpy as np


def attention(Q, K, V):
    Q, K, V = Q.tolist(), K.tolist(), V.tolist()
    d = len(Q[0])
    output, weights = [], []
    for q in Q:
        scores = [sum(a * b for a, b in zip(q, k)) / math.sqrt(d) for k in K]
        top = max(scores)
        exps = [math.exp(s - top) for s in scores]
        total = sum(exps)
        row = [e / total for e in exps]
        weights.append(row)
        output.append([sum(w * v[c] for w, v in zip(row, V)) for c in range(len(V[0]))])
    return np.array(output), np.array(weights)
