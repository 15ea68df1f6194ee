import numpy as np


def scaled_scores(Q, K):
    return np.abs(np.einsum("id,jd->ij", Q, K)) / Q.shape[1] ** 0.5
