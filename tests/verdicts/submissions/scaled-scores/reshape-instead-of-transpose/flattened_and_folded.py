import numpy as np


def scaled_scores(Q, K):
    T, d = K.shape
    folded = np.ravel(K).reshape(d, T)
    return np.dot(Q, folded) / np.sqrt(d)
