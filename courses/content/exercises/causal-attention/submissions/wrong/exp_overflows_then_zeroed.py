import numpy as np


def causal_attention(Q, K, V):
    P = np.tril(np.exp(Q @ K.T / np.sqrt(Q.shape[1])))
    P = P / P.sum(axis=-1, keepdims=True)
    return P @ V, P
