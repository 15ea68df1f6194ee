import numpy as np


def causal_attention(Q, K, V):
    b = np.arange(len(Q)) // 3
    S = np.where(b[None, :] <= b[:, None], np.inner(Q, K) / np.sqrt(Q.shape[1]), -np.inf)
    E = np.exp(S - S.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1, keepdims=True)
    return P @ V, P
