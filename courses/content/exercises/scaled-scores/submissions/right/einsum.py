import numpy as np


def scaled_scores(Q, K):
    scores = np.einsum("id,jd->ij", Q, K)
    scores /= np.sqrt(len(Q[0]))
    return scores
