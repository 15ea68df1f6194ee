import numpy as np


def scaled_scores(Q, K):
    scores = np.zeros((Q.shape[0], K.shape[0]), dtype=np.single)
    for i in range(Q.shape[0]):
        with np.errstate(over="ignore"):
            scores[i, :] = K @ Q[i] / np.sqrt(Q.shape[1])
    return scores
