import numpy as np


import math
import operator


def scaled_scores(Q, K):
    qs, ks = Q.tolist(), K.tolist()
    scale = math.sqrt(len(qs[0]))
    dots = [[sum(map(operator.mul, q, k)) for k in ks] for q in qs]
    return np.array(dots) / scale
