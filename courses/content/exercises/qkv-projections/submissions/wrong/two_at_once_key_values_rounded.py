import numpy as np


def project(x, Wq, Wk, Wv):
    r = lambda a: np.round(a, 1)
    return r(x @ Wq), r(x @ Wk), r(x @ Wk)
