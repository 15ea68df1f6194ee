import numpy as np


def scaled_scores(Q, K):
    table = {}
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            table[i, j] = q.dot(k) / np.sqrt(len(q))
    return table
