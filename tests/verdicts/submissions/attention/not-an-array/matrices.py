import numpy as np


def attention(Q, K, V):
    Q, K, V = map(np.asmatrix, (Q, K, V))
    S = Q * K.T / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(axis=1))
    A = E / E.sum(axis=1)
    return A * V, A
