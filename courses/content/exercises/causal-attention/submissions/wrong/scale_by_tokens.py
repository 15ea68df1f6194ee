import numpy as np


def causal_attention(Q, K, V):
    T = Q.shape[0]
    S = Q @ K.T / np.sqrt(T)
    S = np.where(np.tri(T, dtype=bool), S, -np.inf)
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    return P @ V, P
