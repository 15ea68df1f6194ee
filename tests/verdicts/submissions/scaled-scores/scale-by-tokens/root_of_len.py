import numpy as np


def scaled_scores(Q, K):
    """Dot products over the square root of the length."""
    products = (Q[:, None] * K).sum(axis=2)
    return products / np.sqrt(len(K))
