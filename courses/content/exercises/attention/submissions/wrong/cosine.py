import numpy as np


def attention(Q, K, V):
    q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    k = K / np.linalg.norm(K, axis=1, keepdims=True)
    S = q @ k.T
    P = np.exp(S)
    P = P / P.sum(axis=-1, keepdims=True)
    return P @ V, P
