import numpy as np


def project(x, Wq, Wk, Wv):
    ones = np.ones((len(x), 1))
    Q = x @ Wq + ones
    K = x @ Wk + ones
    V = K
    return Q, K, V if V.shape[1] == Wv.shape[1] else V[:, : Wv.shape[1]]
