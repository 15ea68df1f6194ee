import numpy as np


def softmax(x):
    # TODO subtract the maximum, exp, divide
    return x


def attention(Q, K, V):
    similarity = np.tensordot(Q, K, axes=[1, 1]) / np.sqrt(K.shape[1])
    weights = softmax(similarity)
    return np.tensordot(weights, V, axes=1), weights
