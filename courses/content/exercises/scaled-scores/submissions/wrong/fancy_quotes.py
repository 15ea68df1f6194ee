import numpy as np


def scaled_scores(Q, K):
    return np.einsum(“id,jd->ij”, Q, K) / np.sqrt(Q.shape[1])
