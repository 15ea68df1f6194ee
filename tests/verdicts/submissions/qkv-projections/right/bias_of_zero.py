import numpy as np


def linear(x, W, b=0.0):
    return np.add(np.matmul(x, W), b)


def project(x, Wq, Wk, Wv):
    assert x.ndim == 2, x.shape
    Q = linear(x, Wq)
    K = linear(x, Wk)
    V = linear(x, Wv)
    return Q, K, V
