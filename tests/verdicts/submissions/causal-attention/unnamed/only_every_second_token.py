import numpy as np


def causal_attention(Q, K, V):
    S = np.inner(Q, K) / np.sqrt(Q.shape[1])
    i, j = np.indices(S.shape)
    S = np.where((j <= i) & ((i - j) % 2 == 0), S, -np.inf)
    E = np.exp(S - S.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1, keepdims=True)
    return P @ V, P
