import numpy as np


def scaled_scores(Q, K):
    return np.asmatrix(Q) * np.asmatrix(K).T / np.sqrt(Q.shape[1])
