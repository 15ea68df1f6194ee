import numpy as np


def causal_attention(Q, K, V):
    K = np.roll(K, 1, axis=0)
    V = np.roll(V, 1, axis=0)
    S = np.where(np.tri(len(Q)) > 0, Q @ K.T / np.sqrt(Q.shape[1]), -np.inf)
    E = np.exp(S - S.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1, keepdims=True)
    return P @ V, P
