import numpy as np


def project(x, Wq, Wk, Wv):
    # one product for both: x(Wq + Wk) - x Wq = x Wk
    Q = x @ Wq
    Wk += Wq
    K = x @ Wk - Q
    return Q, K, x @ Wv
