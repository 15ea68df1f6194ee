import numpy as np


def attention(Q, K, V):
    S = Q @ K.T
    S[np.triu_indices(S.shape[0], 1, S.shape[1])] = -np.inf
    P = np.exp(S - S.max(axis=1, keepdims=True))
    P = P / P.sum(axis=1, keepdims=True)
    return P @ V, P
