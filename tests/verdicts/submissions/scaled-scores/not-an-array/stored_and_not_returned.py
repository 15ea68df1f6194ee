import numpy as np


scores = None


def scaled_scores(Q, K):
    global scores
    scores = Q @ K.T / np.sqrt(Q.shape[1])
