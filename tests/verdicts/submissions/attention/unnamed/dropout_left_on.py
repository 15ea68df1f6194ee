import numpy as np


def attention(Q, K, V, p=0.1):
    rng = np.random.default_rng(0)
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    P = np.exp(S - S.max(axis=1, keepdims=True))
    P = P / P.sum(axis=1, keepdims=True)
    P = P * (rng.random(P.shape) > p) / (1 - p)
    return P @ V, P
