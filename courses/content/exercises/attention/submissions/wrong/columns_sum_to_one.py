import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x, axis=0))
    return e / e.sum(axis=0)


def attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
    return weights @ V, weights
