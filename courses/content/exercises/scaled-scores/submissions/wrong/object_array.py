import numpy as np
from fractions import Fraction


def scaled_scores(Q, K):
    exact = [[sum(Fraction(a) * Fraction(b) for a, b in zip(q, k)) for k in K] for q in Q]
    return np.array(exact) / np.sqrt(Q.shape[1])
