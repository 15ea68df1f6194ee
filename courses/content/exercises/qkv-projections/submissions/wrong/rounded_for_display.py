import numpy as np


def project(x, Wq, Wk, Wv):
    return np.round(x @ Wq, 2), np.round(x @ Wk, 2), np.round(x @ Wv, 2)
