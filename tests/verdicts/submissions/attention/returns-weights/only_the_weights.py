import numpy as np


import math


def attention(Q, K, V):
    weights = []
    for q in Q:
        scores = [sum(x * y for x, y in zip(q, k)) / math.sqrt(len(q)) for k in K]
        m = max(scores)
        e = [math.exp(s - m) for s in scores]
        weights.append([x / sum(e) for x in e])
    return np.array(weights)
