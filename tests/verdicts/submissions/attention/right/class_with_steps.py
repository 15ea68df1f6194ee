import numpy as np


class ScaledDotProduct:
    def __init__(self, Q, K, V):
        self.Q, self.K, self.V = Q, K, V

    @property
    def scores(self):
        return np.inner(self.Q, self.K) / np.sqrt(self.Q.shape[1])

    @property
    def weights(self):
        s = self.scores
        s = np.exp(s - s.max(axis=1, keepdims=True))
        return s / s.sum(axis=1, keepdims=True)

    @property
    def output(self):
        return self.weights.dot(self.V)


def attention(Q, K, V):
    head = ScaledDotProduct(Q, K, V)
    return head.output, head.weights
