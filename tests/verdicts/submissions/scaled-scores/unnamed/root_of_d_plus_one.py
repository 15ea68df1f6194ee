import numpy as np


def scaled_scores(Q, K):
    S = Q @ K.T
    return S / np.sqrt(Q.shape[1] + 1)
