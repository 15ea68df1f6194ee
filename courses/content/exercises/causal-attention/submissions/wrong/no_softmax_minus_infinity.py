import numpy as np


def causal_attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[1])
    weights = np.where(np.tri(len(Q), dtype=bool), S, -np.inf)
    return weights @ V, weights
