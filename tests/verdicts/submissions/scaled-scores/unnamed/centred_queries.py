import numpy as np


def scaled_scores(Q, K):
    q = Q - Q.mean(axis=1, keepdims=True)
    return q @ K.T / np.sqrt(q.shape[1])
