import numpy as np


def project(x, Wq, Wk, Wv):
    x = np.ma.asarray(x)
    return np.ma.dot(x, Wq), np.ma.dot(x, Wk), np.ma.dot(x, Wv)
