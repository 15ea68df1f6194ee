import numpy as np


def causal_attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    S = np.where(np.tri(len(Q), dtype=bool), S, -np.inf)
    with np.errstate(over="ignore"):
        P = 1 / (1 + np.exp(-S))
    return P @ V, P
