# mistakes: scaled-twice, scale-by-width
import numpy as np


def score(q, k):
    return sum(q * k) / np.sqrt(q.size)


def scaled_scores(Q, K):
    table = np.zeros((Q.shape[0], K.shape[0]))
    for row, q in zip(table, Q):
        row[:] = [score(q, k) for k in K]
    # scale by the square root of the width
    table *= 1.0 / np.sqrt(Q.shape[1])
    return table
