import numpy as np


class Gate:
    @staticmethod
    def sigmoid(x):
        return np.where(x >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) / (1 + np.exp(-np.abs(x))))


def attention(Q, K, V):
    g = Gate.sigmoid(Q @ K.T / np.sqrt(K.shape[-1]))
    weights = g / np.sum(g, axis=1, keepdims=True)
    return weights @ V, weights
