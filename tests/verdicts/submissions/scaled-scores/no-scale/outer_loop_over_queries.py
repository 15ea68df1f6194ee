import numpy as np


def scaled_scores(Q, K):
    rows = []
    for q in Q:
        rows.append([np.vdot(q, k) for k in K])
    return np.array(rows)
