import numpy as np


def scaled_scores(Q, K):
    T, d = Q.shape
    S = np.zeros((T, len(K)))
    for f in range(d - 1):
        S += np.outer(Q[:, f], K[:, f])
    return S / np.sqrt(d)
