import numpy as np


def project(x, Wq, Wk, Wv):
    Q = np.maximum(x @ Wq, 0)
    K = np.maximum(x @ Wk, 0)
    return Q, K, x @ Wv
