import numpy as np


def causal_attention(Q, K, V):
    S = np.where(np.tri(len(Q)) == 1, Q @ K.T / 3.3, -1e20)
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    return P @ V, P
