import numpy as np


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    E = np.exp(S - S.max(axis=1, keepdims=True)) ** 2
    P = E / np.sqrt((E**2).sum(axis=1, keepdims=True))
    return P @ V, P
