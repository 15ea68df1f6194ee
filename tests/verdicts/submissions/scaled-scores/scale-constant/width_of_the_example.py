import numpy as np


def scaled_scores(Q, K):
    d = 2  # as in the lesson
    return np.inner(Q, K) / d ** 0.5
