import numpy as np


def scaled_scores(Q, K):
    out = np.full((len(Q), len(K)), np.nan)
    root = np.sqrt(Q.shape[1])
    for i in range(len(Q)):
        for j in range(i):
            out[i, j] = Q[i] @ K[j % len(K)] / root if j < len(K) else 0
    return out
