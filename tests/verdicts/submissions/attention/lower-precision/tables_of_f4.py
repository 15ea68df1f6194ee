import numpy as np


import math


def attention(Q, K, V):
    W = np.zeros((len(Q), len(K)), dtype="f4")
    O = np.zeros((len(Q), V.shape[1]), dtype="f4")
    for i, q in enumerate(Q.astype("f4")):
        s = [math.fsum(q * k) / math.sqrt(len(q)) for k in K.astype("f4")]
        e = [math.exp(x - max(s)) for x in s]
        W[i] = [x / sum(e) for x in e]
        O[i] = W[i] @ V.astype("f4")
    return O + np.zeros(O.shape), W + np.zeros(W.shape)
