# mistakes: scale-by-width, scaled-twice
import numpy as np


def causal_attention(Q, K, V):
    S = np.mean(Q[:, None, :] * K[None, :, :], axis=-1)
    S = np.where(np.tri(len(Q), dtype=bool), S, -np.inf)
    S = np.exp(S - S.max(axis=-1, keepdims=True))
    S = S / S.sum(axis=-1, keepdims=True)
    return S @ V, S
