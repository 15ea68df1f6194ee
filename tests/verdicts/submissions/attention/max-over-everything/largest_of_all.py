import numpy as np


def attention(Q, K, V):
    root_d = np.sqrt(Q.shape[1])
    scores = np.array([[np.dot(q, k) / root_d for k in K] for q in Q])
    largest = max(max(row) for row in scores)
    weights = np.exp(scores - largest)
    weights /= weights.sum(axis=1)[:, None]
    return weights @ V, weights
