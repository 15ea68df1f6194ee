import numpy as np


def scaled_scores(Q, K):
    d = K.shape[-1]
    return Q @ Q.T / np.sqrt(d)
