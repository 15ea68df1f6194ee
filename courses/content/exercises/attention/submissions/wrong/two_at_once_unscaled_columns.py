import numpy as np


def attention(Q, K, V):
    S = Q @ K.T
    P = np.exp(S - S.max(axis=0))
    P = P / P.sum(axis=0)
    return P @ V, P
