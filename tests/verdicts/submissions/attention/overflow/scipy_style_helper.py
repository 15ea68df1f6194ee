import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x)
    num = np.exp(x)
    return np.true_divide(num, num.sum(axis=axis, keepdims=True))


def attention(Q, K, V):
    weights = softmax(Q.dot(K.T) * K.shape[1] ** -0.5)
    return weights.dot(V), weights
