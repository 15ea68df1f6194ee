import numpy as np


import math


def causal_attention(Q, K, V):
    W = np.zeros((len(Q), len(K)))
    O = np.zeros(V.shape)
    for i in range(len(Q)):
        s = [np.dot(Q[i], K[j]) / math.sqrt(len(V[j])) for j in range(i + 1)]
        e = [math.exp(x - max(s)) for x in s]
        for j in range(i + 1):
            W[i, j] = e[j] / sum(e)
            O[i] += W[i, j] * V[j]
    return O, W
