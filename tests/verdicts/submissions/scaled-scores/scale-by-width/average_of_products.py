# mistakes: scale-by-width, scaled-twice
import numpy as np


def scaled_scores(Q, K):
    out = np.empty((len(Q), len(K)))
    for i in range(len(Q)):
        for j in range(len(K)):
            out[i, j] = np.mean(Q[i] * K[j])
    return out
