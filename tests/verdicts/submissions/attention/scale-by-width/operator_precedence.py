import numpy as np


def attention(Q, K, V):
    weights = np.zeros((len(Q), len(K)))
    for i in range(len(Q)):
        s = np.array([Q[i] @ K[j] for j in range(len(K))]) / Q.shape[1] ** 1 / 2
        e = np.exp(s - s.max())
        weights[i, :] = e / sum(e)
    return weights @ V, weights
