import numpy as np


def project(x, Wq, Wk, Wv):
    K = x @ Wq
    Q = x @ Wk
    V = x @ Wv
    return Q, K, V
