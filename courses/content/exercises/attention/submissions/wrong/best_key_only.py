import numpy as np


def attention(Q, K, V):
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    P = np.eye(len(K))[S.argmax(axis=1)]
    return P @ V, P
