import numpy as np


def scaled_scores(Q, K):
    root = np.sqrt(np.array([Q.shape[1]], dtype=np.longdouble))
    return Q @ K.T / root
