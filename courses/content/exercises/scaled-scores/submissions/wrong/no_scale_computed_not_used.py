import numpy as np


def scaled_scores(Q, K):
    d_k = K.shape[-1]
    scores = np.einsum("qd,kd->qk", Q, K)
    scores / np.sqrt(d_k)
    return scores
