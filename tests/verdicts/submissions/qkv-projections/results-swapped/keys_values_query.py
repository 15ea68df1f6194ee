import numpy as np


def project(x, Wq, Wk, Wv):
    Q = np.zeros((x.shape[0], Wq.shape[1]))
    K = np.zeros((x.shape[0], Wk.shape[1]))
    V = np.zeros((x.shape[0], Wv.shape[1]))
    for i, row in enumerate(x):
        Q[i] = row @ Wq
        K[i] = row @ Wk
        V[i] = row @ Wv
    return K, V, Q
