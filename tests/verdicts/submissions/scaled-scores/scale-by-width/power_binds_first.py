import numpy as np


def scaled_scores(Q, K):
    d_k = K.shape[-1]
    return np.matmul(Q, K.swapaxes(0, 1)) / d_k ** 1 / 2
