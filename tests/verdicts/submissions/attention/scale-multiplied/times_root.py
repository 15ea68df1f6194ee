import numpy as np


def softmax(row):
    row = np.exp(row - np.max(row))
    return row / np.sum(row)


def attention(Q, K, V):
    factor = Q.shape[1] ** 0.5
    weights = np.array([softmax(factor * K.dot(q)) for q in Q])
    return weights.dot(V), weights
