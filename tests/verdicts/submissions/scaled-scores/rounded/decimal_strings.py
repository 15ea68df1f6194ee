import numpy as np


def scaled_scores(Q, K):
    root = K.shape[1] ** 0.5
    table = [["%.2f" % (q.dot(k) / root) for k in K] for q in Q]
    return np.array(table).astype(float)
