import numpy as np


def project(x, Wq, Wk, Wv):
    V = x @ Wv
    K = x @ Wk
    Q = x @ Wq
    return V, K, Q
