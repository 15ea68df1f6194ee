import numpy as np


def causal_attention(Q, K, V):
    mask = np.tri(len(Q))
    S = Q @ (mask @ K).T / np.sqrt(Q.shape[1])
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    return P @ V, P
