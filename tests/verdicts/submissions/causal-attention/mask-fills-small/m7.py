import numpy as np


def causal_attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    S[np.triu_indices(len(S), 1)] = -7
    E = np.exp(S - S.max(1, keepdims=True))
    W = E / E.sum(1, keepdims=True)
    return W @ V, W
