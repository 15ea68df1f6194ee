import numpy as np


class _A:
    def __call__(self, Q, K, V):
        s = np.dot(Q, K.T) / np.sqrt(Q.shape[1])
        p = np.exp(s - s.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        return p.dot(V), p

attention = _A()
