import numpy as np


def scaled_scores(Q, K):
    root = np.sqrt(Q.shape[1])
    result = []
    for k in K:
        result.append([np.dot(k, q) / root for q in Q])
    return np.array(result)
