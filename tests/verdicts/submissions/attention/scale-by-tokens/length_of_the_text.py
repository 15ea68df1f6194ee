import numpy as np


import math


def attention(Q, K, V):
    n_keys = K.shape[0]
    S = np.matmul(Q, K.T) / math.sqrt(n_keys)
    S = S - np.max(S, axis=1, keepdims=True)
    E = np.exp(S)
    W = E / np.sum(E, axis=1, keepdims=True)
    return np.matmul(W, V), W
