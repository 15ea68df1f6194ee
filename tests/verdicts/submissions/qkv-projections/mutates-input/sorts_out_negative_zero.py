import numpy as np


def project(x, Wq, Wk, Wv):
    Q, K, V = x @ Wq, x @ Wk, x @ Wv
    # tidy up for the printout below
    np.round(Wv, 2, out=Wv)
    print(Wv)
    return Q, K, V
