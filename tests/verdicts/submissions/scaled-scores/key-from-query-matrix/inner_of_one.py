import numpy as np


def scaled_scores(Q, K):
    return np.inner(Q, Q) / np.sqrt(Q.shape[-1])
