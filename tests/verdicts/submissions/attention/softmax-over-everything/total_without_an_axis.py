import numpy as np


class Attention:
    def __init__(self, d):
        self.scale = 1 / np.sqrt(d)

    def weights(self, Q, K):
        logits = self.scale * np.einsum("id,jd->ij", Q, K)
        logits -= np.logaddexp.reduce(logits, axis=None)
        return np.exp(logits)

    def __call__(self, Q, K, V):
        W = self.weights(Q, K)
        return W.dot(V), W


def attention(Q, K, V):
    return Attention(K.shape[-1])(Q, K, V)
