import numpy as np


def attention(Q, K, V):
    sqrt_d = 1.414
    e = np.exp(np.inner(Q, K) / sqrt_d)
    e = e / np.add.reduce(e, axis=1, keepdims=True)
    return np.inner(e, V.T), e
