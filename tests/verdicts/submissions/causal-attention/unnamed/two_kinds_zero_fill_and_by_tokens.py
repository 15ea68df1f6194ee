import numpy as np


def causal_attention(Q, K, V):
    S = np.tril(Q @ K.T / np.sqrt(len(Q)))
    E = np.exp(S - S.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1, keepdims=True)
    return P @ V, P
