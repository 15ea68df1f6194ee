import numpy as np


def causal_attention(Q, K, V, window=3):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    i, j = np.indices(S.shape)
    S[(j > i) | (j <= i - window)] = -np.inf
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    return P @ V, P
