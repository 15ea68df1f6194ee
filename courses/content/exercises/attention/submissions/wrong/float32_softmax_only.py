import numpy as np


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    P = np.exp((S - S.max(axis=-1, keepdims=True)).astype(np.float32))
    P = (P / P.sum(axis=-1, keepdims=True)).astype(np.float64)
    return P @ V, P
