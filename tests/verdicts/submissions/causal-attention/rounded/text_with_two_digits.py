import numpy as np


def pretty(M):
    return np.array([[float(format(x, ".2f")) for x in row] for row in M])


def causal_attention(Q, K, V):
    S = np.inner(Q, K) / np.sqrt(K.shape[1])
    S[np.triu_indices(len(S), 1)] = -np.inf
    W = np.exp(S - np.logaddexp.reduce(S, axis=1)[:, None])
    return pretty(W @ V), pretty(W)
