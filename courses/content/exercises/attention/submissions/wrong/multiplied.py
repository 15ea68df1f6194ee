import numpy as np


def attention(Q, K, V):
    scale = np.sqrt(Q.shape[-1])
    S = Q @ K.T * scale
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    return P @ V, P
