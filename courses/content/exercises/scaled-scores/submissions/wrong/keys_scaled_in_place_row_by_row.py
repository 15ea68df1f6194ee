import math
import numpy as np


def scaled_scores(Q, K):
    for key in K:               # a row of K is a view of K
        key *= 1 / math.sqrt(len(key))
    return Q @ K.T
