import numpy as np


def scaled_scores(Q, K):
    return np.einsum("id,jd->ij", K, K) / np.sqrt(K.shape[1])
