import numpy as np


def attention(Q, K, V):
    d = K.shape[1]
    output = np.zeros((len(Q), V.shape[1]))
    weights = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, (k, v) in enumerate(zip(K, V)):
            weights[i, j] = np.vdot(q, k) / np.sqrt(d)
            output[i] += weights[i, j] * v
        weights[i] = np.exp(weights[i] - weights[i].max())
        weights[i] /= weights[i].sum()
    return output, weights
