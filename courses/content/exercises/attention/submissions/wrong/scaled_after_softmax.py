import numpy as np


def attention(Q, K, V):
    S = Q @ K.T
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    P = P / np.sqrt(Q.shape[-1])
    return P @ V, P
