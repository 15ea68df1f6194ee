import numpy as np


def scaled_scores(Q, K):
    # a view, not C-contiguous: still the right numbers
    return (K @ Q.T / np.sqrt(K.shape[1])).T
