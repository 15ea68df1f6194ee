import numpy as np


def turn(M):
    rows, cols = M.shape
    turned = np.zeros((cols, rows))
    turned.flat = M.flat
    return turned


def scaled_scores(Q, K):
    keys = turn(K)
    scores = Q @ keys
    return scores / np.sqrt(Q.shape[1])
