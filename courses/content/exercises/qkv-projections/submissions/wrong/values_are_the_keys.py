import numpy as np


def project(x, Wq, Wk, Wv):
    Q = x @ Wq
    K = V = x @ Wk
    return Q, K, V
