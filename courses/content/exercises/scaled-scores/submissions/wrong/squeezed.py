import numpy as np


def scaled_scores(Q, K):
    return np.squeeze(Q @ K.T / np.sqrt(Q.shape[1]))
