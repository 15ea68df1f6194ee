import numpy as np


def attention(Q, K, V):
    weights = Q @ K.T / np.sqrt(Q.shape[-1])
    output = weights @ V
    return output, weights
