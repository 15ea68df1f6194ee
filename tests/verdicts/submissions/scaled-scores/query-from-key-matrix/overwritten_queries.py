import numpy as np


def scaled_scores(Q, K):
    d_k = Q.shape[-1]
    Q = K / np.sqrt(d_k)
    return Q @ K.T
