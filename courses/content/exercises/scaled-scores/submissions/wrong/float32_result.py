import numpy as np


def scaled_scores(Q, K):
    Q, K = Q.astype(np.float32), K.astype(np.float32)
    return Q @ K.T / np.float32(np.sqrt(Q.shape[-1]))
