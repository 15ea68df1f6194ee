import numpy as np


def vec_mat(vec, mat):
    # sum of the rows of mat, weighted by the entries of vec
    out = 0
    for number, row in zip(vec, mat):
        out = out + number * row
    return out


def project(x, Wq, Wk, Wv):
    Q = np.array([vec_mat(t, Wq) for t in x])
    K = np.array([vec_mat(t, Wk) for t in x])
    V = np.array([vec_mat(t, Wk) for t in x])
    return Q, K, V
