import numpy as np


from itertools import product
from math import sqrt


def scaled_scores(Q, K):
    # every word with every word
    T, d = Q.shape
    pairs = product(Q, repeat=2)
    return np.array([a @ b / sqrt(d) for a, b in pairs]).reshape(T, T)
