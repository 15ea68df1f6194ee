import numpy as np


def project(x, Wq, Wk, Wv):
    # every token with every column of the matrix
    return np.inner(x, Wq), np.inner(x, Wk), np.inner(x, Wv)
