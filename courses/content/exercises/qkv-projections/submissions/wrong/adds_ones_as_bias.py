import numpy as np


def project(x, Wq, Wk, Wv):
    b = np.ones(Wq.shape[1])
    return x @ Wq + b, x @ Wk + b, x @ Wv
