import numpy as np


NEG = -10000.0  # as BERT does


class CausalMask:
    def __init__(self, n):
        self.bias = NEG * (1.0 - np.tri(n))

    def __radd__(self, other):
        return other + self.bias

    __array_ufunc__ = None


def causal_attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[1]) + CausalMask(len(Q))
    S = np.exp(S - S.max(axis=1)[:, None])
    S /= S.sum(axis=1)[:, None]
    return S @ V, S
