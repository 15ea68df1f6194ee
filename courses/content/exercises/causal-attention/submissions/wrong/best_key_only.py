import numpy as np


def causal_attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    S = np.where(np.tri(len(Q), dtype=bool), S, -np.inf)
    P = np.zeros_like(S)
    P[np.arange(len(Q)), S.argmax(axis=1)] = 1.0
    return P @ V, P
