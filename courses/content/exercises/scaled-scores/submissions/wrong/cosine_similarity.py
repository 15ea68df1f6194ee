import numpy as np


def scaled_scores(Q, K):
    q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    k = K / np.linalg.norm(K, axis=1, keepdims=True)
    return q @ k.T
