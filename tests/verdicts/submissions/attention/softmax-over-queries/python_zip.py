from math import exp, sqrt

import numpy as np


def attention(Q, K, V):
    d = Q.shape[1]
    table = [[sum(a * b for a, b in zip(q, k)) / sqrt(d) for k in K] for q in Q]
    columns = []
    for column in zip(*table):
        top = max(column)
        e = [exp(s - top) for s in column]
        columns.append([x / sum(e) for x in e])
    weights = np.array(columns).T
    return np.matmul(weights, V), weights
