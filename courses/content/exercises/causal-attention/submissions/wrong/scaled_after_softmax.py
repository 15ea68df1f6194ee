import numpy as np


def causal_attention(Q, K, V):
    S = np.where(np.tri(len(Q), dtype=bool), Q @ K.T, -np.inf)
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True) / np.sqrt(K.shape[1])
    return P @ V, P
