import numpy as np


def scaled_scores(Q, K):
    T, d = Q.shape
    scores = np.zeros((T, len(K)))
    for i in range(T):
        for j in range(min(T, len(K))):
            scores[i, j] = Q[i] @ K[j] / np.sqrt(d)
    return scores
