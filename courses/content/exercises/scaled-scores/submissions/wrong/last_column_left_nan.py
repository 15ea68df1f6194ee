import numpy as np


def scaled_scores(Q, K):
    scores = np.full((len(Q), len(K)), np.nan)
    for i in range(len(Q)):
        for j in range(len(K) - 1):
            scores[i, j] = Q[i] @ K[j] / np.sqrt(Q.shape[1])
    return scores
