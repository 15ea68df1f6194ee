import numpy as np


def project(x, Wq, Wk, Wv):
    Q = np.matmul(x, Wq)
    K = np.matmul(x, Wk)
    V = np.matmul(x, np.transpose(Wv))
    return Q, K, V
