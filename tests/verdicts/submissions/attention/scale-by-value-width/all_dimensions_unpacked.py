import numpy as np


from math import sqrt


def attention(Q, K, V):
    (Tq, d), (Tk, d), (Tk, d) = Q.shape, K.shape, V.shape
    W = np.zeros((Tq, Tk))
    for i in range(Tq):
        scores = [Q[i].dot(K[j]) / sqrt(d) for j in range(Tk)]
        W[i] = np.exp(np.array(scores) - max(scores))
        W[i] /= W[i].sum()
    return W.dot(V), W
