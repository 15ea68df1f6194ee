import numpy as np


def scaled_scores(Q, K):
    return np.fromiter((q @ k / np.sqrt(q.size) for q in Q for k in K), dtype=float)
