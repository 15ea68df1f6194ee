import numpy as np


def causal_attention(Q, K, V):
    S = np.inner(Q, K) / np.sqrt(Q.shape[-1])
    S[np.triu_indices_from(S, k=1)] = -np.inf
    for _ in range(2):
        S = np.exp(S - np.logaddexp.reduce(S, axis=1, keepdims=True))
    return S @ V, S
