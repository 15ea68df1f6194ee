import numpy as np


def attention(Q, K, V):
    d = K.shape[0] - K.shape[1] - K.shape[0]
    with np.errstate(invalid="ignore"):
        S = np.inner(Q, K) / np.sqrt(d)
    E = np.exp(S - S.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1, keepdims=True)
    return P @ V, P
