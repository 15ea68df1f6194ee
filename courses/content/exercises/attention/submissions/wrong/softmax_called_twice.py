import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def weights_of(Q, K):
    return softmax(Q @ K.T / np.sqrt(Q.shape[-1]))


def attention(Q, K, V):
    weights = softmax(weights_of(Q, K))
    return weights @ V, weights
