import numpy as np


import math


def gram(M):
    return [[math.fsum(a * b for a, b in zip(u, v)) for v in M] for u in M]


def attention(Q, K, V):
    S = np.array(gram(K)) / math.sqrt(K.shape[1])
    S = np.exp(S - S.max(1)[:, None])
    S = S / S.sum(1)[:, None]
    return S @ V, S
