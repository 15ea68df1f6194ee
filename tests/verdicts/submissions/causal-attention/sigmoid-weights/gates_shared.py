import numpy as np


class Sigmoid:
    def __call__(self, s):
        e = np.exp(-np.abs(s))
        return np.where(s >= 0, 1, e) / (1 + e)


def causal_attention(Q, K, V):
    sig = Sigmoid()
    s = np.inner(Q, K) / np.sqrt(K.shape[1])
    s[np.triu_indices(len(Q), 1)] = -np.inf
    W = sig(s)
    W = W / W.sum(axis=1)[:, np.newaxis]
    return W @ V, W
