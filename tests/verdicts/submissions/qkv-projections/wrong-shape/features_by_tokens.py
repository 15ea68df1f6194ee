import numpy as np


def project(x, Wq, Wk, Wv):
    Q, K, V = [np.array([x @ column for column in W.T]) for W in (Wq, Wk, Wv)]
    return Q, K, V
