import numpy as np


def project(x, Wq, Wk, Wv):
    W = Wk
    K = np.dot(x, W)
    Q = np.dot(x, W)
    W = Wv
    V = np.dot(x, W)
    return Q, K, V
