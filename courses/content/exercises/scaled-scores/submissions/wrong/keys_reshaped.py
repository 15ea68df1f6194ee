import numpy as np


def scaled_scores(Q, K):
    d = K.shape[1]
    return Q @ K.reshape(d, -1) / np.sqrt(d)
