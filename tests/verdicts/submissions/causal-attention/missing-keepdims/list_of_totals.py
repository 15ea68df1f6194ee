import numpy as np


def causal_attention(Q, K, V):
    S = Q @ K.T / Q.shape[-1] ** 0.5
    for t in range(len(S)):
        S[t, t + 1 :] = -np.inf
    E = np.exp(S - S.max(axis=1).reshape(-1, 1))
    totals = [row.sum() for row in E]
    P = E / totals
    return P @ V, P
