import numpy as np


def causal_attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    future = np.triu(np.ones(S.shape, dtype=bool), k=1)
    S = np.where(future, S, -np.inf)
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    return P @ V, P
