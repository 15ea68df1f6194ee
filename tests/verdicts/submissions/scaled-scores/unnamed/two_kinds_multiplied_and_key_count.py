import numpy as np


def scaled_scores(Q, K):
    return np.dot(Q, K.T) * np.sqrt(Q.shape[1]) / len(K)
