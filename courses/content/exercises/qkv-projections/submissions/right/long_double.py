import numpy as np


def project(x, Wq, Wk, Wv):
    x = x.astype(np.longdouble)
    return tuple((x @ W.astype(np.longdouble)).astype(np.float64) for W in [Wq, Wk, Wv])
