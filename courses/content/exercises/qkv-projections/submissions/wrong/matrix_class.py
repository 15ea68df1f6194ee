import numpy as np


def project(x, Wq, Wk, Wv):
    x = np.matrix(x)
    return x * Wq, x * Wk, x * Wv
