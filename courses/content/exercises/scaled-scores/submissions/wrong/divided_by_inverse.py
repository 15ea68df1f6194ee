import numpy as np


def scaled_scores(Q, K):
    scale = Q.shape[1] ** -0.5
    return np.dot(Q, K.T) / scale
