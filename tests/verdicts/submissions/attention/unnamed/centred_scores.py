import numpy as np


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    S = (S - S.mean(axis=1, keepdims=True)) / (S.std(axis=1, keepdims=True) + 1e-5)
    P = np.exp(S)
    P = P / P.sum(axis=1, keepdims=True)
    return P @ V, P
