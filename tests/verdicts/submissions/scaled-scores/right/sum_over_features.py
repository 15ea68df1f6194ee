import numpy as np


def scaled_scores(Q, K):
    total = 0.0
    for f in range(Q.shape[1]):
        total = total + np.multiply.outer(Q[:, f], K[:, f])
    return total / np.sqrt(Q.shape[1])
