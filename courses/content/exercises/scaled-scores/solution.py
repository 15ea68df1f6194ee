import numpy as np


def scaled_scores(Q, K):
    """S = Q Kᵀ / √d, with d the width of one query."""
    d = Q.shape[-1]
    return Q @ K.T / np.sqrt(d)
