import numpy as np


def causal_attention(Q, K, V):
    S = np.inner(Q, K) / np.sqrt(Q.shape[-1])
    mask = np.tri(len(Q), k=-1, dtype=bool)
    S[mask] = -np.inf
    S = np.exp(S - S.max(axis=1)[:, None])
    S = S / S.sum(axis=1)[:, None]
    return S @ V, S
