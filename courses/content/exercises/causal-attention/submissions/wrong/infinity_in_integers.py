import numpy as np


def causal_attention(Q, K, V):
    mask = np.zeros((len(Q), len(Q)), dtype=int)
    mask[np.triu_indices(len(Q), 1)] = -np.inf
    S = Q @ K.T / np.sqrt(Q.shape[1]) + mask
    P = np.exp(S - S.max(axis=-1, keepdims=True))
    P = P / P.sum(axis=-1, keepdims=True)
    return P @ V, P
