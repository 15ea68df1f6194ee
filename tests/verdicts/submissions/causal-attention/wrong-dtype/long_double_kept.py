import numpy as np


def causal_attention(Q, K, V):
    S = np.einsum("id,jd->ij", Q.astype(np.longdouble), K) / np.sqrt(Q.shape[1])
    S[np.triu_indices_from(S, 1)] = -np.inf
    P = np.exp(S - S.max(axis=1, keepdims=True))
    P /= P.sum(axis=1, keepdims=True)
    return P @ V, P
