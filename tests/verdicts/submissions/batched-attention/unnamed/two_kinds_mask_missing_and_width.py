import numpy as np


class Attention:
    def __init__(self, causal):
        self.causal = causal

    def late(self, shape):
        n, m = shape[-2:]
        return np.arange(m) - np.arange(n)[:, np.newaxis] > m - n

    def weights(self, Q, K):
        S = (Q / Q.shape[-1]) @ K.swapaxes(-2, -1)
        E = np.exp(S - np.amax(S, axis=-1, keepdims=True))
        return E / np.add.reduce(E, axis=-1, keepdims=True)

    def __call__(self, Q, K, V):
        return self.weights(Q, K) @ V


def attention(Q, K, V, causal=False):
    return Attention(causal)(Q, K, V)
