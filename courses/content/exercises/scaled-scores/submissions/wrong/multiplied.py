import numpy as np


def scaled_scores(Q, K):
    d = Q.shape[-1]
    return Q @ K.T * np.sqrt(d)
