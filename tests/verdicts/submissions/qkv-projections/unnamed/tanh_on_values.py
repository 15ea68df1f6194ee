import numpy as np


def project(x, Wq, Wk, Wv):
    q = x @ Wq
    k = x @ Wk
    v = np.tanh(x @ Wv)  # activation
    return q, k, v
