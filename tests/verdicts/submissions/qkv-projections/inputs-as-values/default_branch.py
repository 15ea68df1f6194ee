import numpy as np


def apply(x, W=None):
    if W is None:
        return x
    return np.matmul(x, W)


def project(x, Wq, Wk, Wv):
    Q = apply(x, Wq)
    K = apply(x, Wk)
    V = apply(x)
    print("V", V.shape)
    return Q, K, V
