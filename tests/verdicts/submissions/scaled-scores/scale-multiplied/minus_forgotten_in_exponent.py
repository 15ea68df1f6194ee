import numpy as np


def scaled_scores(Q, K):
    scale = Q.shape[1] ** 0.5  # d^(-1/2)
    scaled_queries = Q * scale
    return scaled_queries @ np.transpose(K)
