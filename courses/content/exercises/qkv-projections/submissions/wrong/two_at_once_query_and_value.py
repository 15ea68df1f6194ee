import numpy as np


def project(x, Wq, Wk, Wv):
    Q = x @ Wk
    K = x @ Wk
    V = x
    return Q, K, V
