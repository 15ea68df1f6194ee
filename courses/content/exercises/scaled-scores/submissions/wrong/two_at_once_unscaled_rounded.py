import numpy as np


def scaled_scores(Q, K):
    return np.round(Q @ K.T, 1)
