import numpy as np


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    with np.errstate(over="ignore"):
        P = 1.0 / (1.0 + np.exp(-S))
    return P @ V, P
