import numpy as np


def scaled_scores(Q, K):
    root = np.sqrt(Q.shape[1])

    def entry(i, j):
        return np.dot(Q[i], K[j]) / root

    i, j = np.indices((len(Q), len(K)))
    return np.vectorize(entry)(i, j)
