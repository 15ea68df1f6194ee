import numpy as np


def causal_attention(Q, K, V):
    T = len(Q)
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    keep = np.triu(np.ones((T, T), dtype=bool))
    S = np.where(keep, S, -np.inf)
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    return P @ V, P
