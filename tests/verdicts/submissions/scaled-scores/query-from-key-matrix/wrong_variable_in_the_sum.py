import numpy as np


def scaled_scores(Q, K):
    n, m = K.shape[0], K.shape[0]
    s = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            s[i, j] = (K[i] * K[j]).sum() / np.sqrt(K.shape[1])
    return s
