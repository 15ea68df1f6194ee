import numpy as np


def scaled_scores(Q, K):
    # sum over the features
    d = len(Q[0])
    return d * np.array([[q.dot(k) for k in K] for q in Q])
