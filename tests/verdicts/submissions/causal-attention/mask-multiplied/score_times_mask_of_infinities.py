import numpy as np


def causal_attention(Q, K, V):
    mask = np.ones((len(Q), len(Q)))
    mask[np.triu_indices(len(Q), 1)] = float("-inf")
    S = mask * np.inner(Q, K) / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1, keepdims=True)
    return P @ V, P
