import numpy as np


def scaled_scores(Q, K):
    scores = np.zeros((Q.shape[0], K.shape[0]))
    for i in range(Q.shape[0]):
        for j in range(K.shape[0]):
            scores[i][j] = sum(Q[i] * K[j])
    return scores
