import numpy as np


def scaled_scores(Q, K):
    q, k = np.matrix(Q), np.matrix(K)
    return q * k.getT() / np.sqrt(q.shape[1])
