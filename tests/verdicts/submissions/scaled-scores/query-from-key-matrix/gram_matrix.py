import numpy as np


def gram(M):
    """All dot products of the rows of M."""
    return M.dot(M.T)


def scaled_scores(Q, K):
    return gram(K) / np.sqrt(K.shape[1])
