import numpy as np


def project(x, Wq, Wk, Wv):
    x = np.array(x, dtype=np.longdouble)  # as exact as it gets
    return x @ Wq, x @ Wk, x @ Wv
