import numpy as np


def attention(Q, K, V):
    P = np.exp(Q @ K.T)
    P = P / P.sum(axis=1, keepdims=True)
    return P @ V, P
