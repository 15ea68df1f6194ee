import numpy as np


def project(x, Wq, Wk, Wv):
    # each token with all that came before
    h = np.cumsum(x, axis=0)
    return np.matmul(h, Wq), np.matmul(h, Wk), np.matmul(h, Wv)
