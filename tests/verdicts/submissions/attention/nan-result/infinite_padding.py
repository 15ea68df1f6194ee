import numpy as np


def attention(Q, K, V):
    # pad with a key that nobody can match
    S = np.inner(Q, K) / np.sqrt(Q.shape[1])
    S = np.hstack([S, np.full((len(Q), 1), -np.inf)])
    P = np.exp(S - S.max(axis=1, keepdims=True))
    P = P / P.sum(axis=1, keepdims=True)
    padded = np.vstack([V, np.full((1, V.shape[1]), np.inf)])
    return P @ padded, P[:, :-1]
