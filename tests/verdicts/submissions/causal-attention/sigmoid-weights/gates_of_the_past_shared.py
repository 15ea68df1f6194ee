import numpy as np


class Sigmoid:
    def __call__(self, s):
        e = np.exp(-np.abs(s))
        return np.where(s >= 0, 1, e) / (1 + e)


def causal_attention(Q, K, V):
    sig = Sigmoid()
    W = np.zeros((len(Q), len(Q)))
    for t in range(len(Q)):
        g = sig(K[: t + 1] @ Q[t] / np.sqrt(K.shape[1]))
        W[t, : t + 1] = g / g.sum()
    return W @ V, W
