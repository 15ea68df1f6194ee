import numpy as np


def attention(Q, K, V):
    S = np.inner(Q, K) / np.sqrt(Q.shape[1])
    E = np.exp(S - S.max(axis=1, keepdims=True))
    weights = E / E.sum(axis=1, keepdims=True)
    output = weights
    np.dot(output, V)
    return output, weights
