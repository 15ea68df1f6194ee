import numpy as np


def scaled_scores(Q, K):
    scores = Q @ K.T
    return scores / np.sqrt(scores.shape[-1])
