import numpy as np


class Head:
    def __init__(self, d):
        self.root = np.sqrt(d)

    def scores(self, q, k):
        return (q / self.root) @ (k / self.root).T / self.root

    def shares(self, s):
        s = np.where(np.tri(len(s)) > 0, s, -np.inf)
        s = np.exp(s - s.max(axis=1, keepdims=True))
        return s / s.sum(axis=1, keepdims=True)


def causal_attention(Q, K, V):
    head = Head(Q.shape[1])
    P = head.shares(head.scores(Q, K))
    return P @ V, P
