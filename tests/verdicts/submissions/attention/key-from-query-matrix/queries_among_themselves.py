import numpy as np


def attention(Q, K, V):
    scores = np.array([[q1 @ q2 for q2 in Q] for q1 in Q]) / np.sqrt(Q.shape[1])
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)
    return np.dot(weights, V), weights
