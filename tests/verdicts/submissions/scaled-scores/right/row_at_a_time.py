import numpy as np


from math import sqrt


def row_of_scores(query, keys):
    """Scores of one query against all keys, shape (Tk,)."""
    return keys.dot(query) / sqrt(query.shape[0])


def scaled_scores(Q, K):
    return np.stack([row_of_scores(q, K) for q in Q])
