import numpy as np


def scaled_scores(Q, K):
    root = np.sqrt(Q.shape[1])
    return (Q / root) @ (K / root).T
