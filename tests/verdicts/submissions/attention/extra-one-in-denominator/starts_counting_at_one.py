import numpy as np


import math


def attention(Q, K, V):
    W = []
    for q in Q:
        s = [sum(q * k) / math.sqrt(q.size) for k in K]
        top = max(s)
        z = 1
        for v in s:
            z += math.exp(v - top)
        W.append([math.exp(v - top) / z for v in s])
    W = np.array(W)
    return W.dot(V), W
