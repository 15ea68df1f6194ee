import numpy as np


def scaled_scores(Q, K):
    return np.inner(Q, K) / np.sqrt(Q.shape[-1])
