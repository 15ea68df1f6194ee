import numpy as np


def attention(Q, K, V):
    P = np.full((len(Q), len(K)), 1 / len(K))
    return P @ V, P
