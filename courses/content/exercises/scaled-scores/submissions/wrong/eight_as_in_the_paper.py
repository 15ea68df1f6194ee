import numpy as np

D_K = 64


def scaled_scores(Q, K):
    return Q @ K.T / np.sqrt(D_K)
