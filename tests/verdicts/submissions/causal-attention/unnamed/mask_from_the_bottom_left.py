import numpy as np


def causal_attention(Q, K, V):
    T = len(Q)
    M = np.fliplr(np.tri(T)) > 0
    S = np.where(M, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    E = np.exp(S - S.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1, keepdims=True)
    return P @ V, P
