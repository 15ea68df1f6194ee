import numpy as np


def attention(Q, K, V):
    output, weights = [], []
    for k in K[:1]:
        S = Q @ K.T / np.sqrt(k.size)
    for row in S:
        e = np.exp(row - row.max())
        weights.append(e / e.sum())
    for column in V.T:
        output.append([float(w @ column) for w in weights])
    return np.array(output), np.array(weights)
