import numpy as np


def scaled_scores(Q, K, d):
    return Q @ K.T / np.sqrt(d)
