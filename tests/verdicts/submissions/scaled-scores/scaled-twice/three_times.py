import numpy as np


def scaled_scores(Q, K):
    s = 1 / np.sqrt(K.shape[-1])
    q = s * Q
    k = s * K
    return s * q.dot(k.T)
