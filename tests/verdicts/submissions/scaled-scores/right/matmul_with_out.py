import numpy as np


def scaled_scores(Q, K):
    scores = np.empty((Q.shape[0], K.shape[0]))
    np.matmul(Q, K.T, out=scores)
    scores *= 1.0 / np.sqrt(K.shape[1])
    return scores
