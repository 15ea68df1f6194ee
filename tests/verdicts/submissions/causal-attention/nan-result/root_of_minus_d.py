# mistakes: nan-result, mask-multiplied
import numpy as np


def causal_attention(Q, K, V):
    with np.errstate(invalid="ignore"):
        S = Q @ K.T / np.sqrt(-Q.shape[1])
    S[np.triu_indices(len(Q), 1)] = -np.inf
    E = np.exp(S - S.max(axis=1, keepdims=True))
    P = E / E.sum(axis=1, keepdims=True)
    return P @ V, P
