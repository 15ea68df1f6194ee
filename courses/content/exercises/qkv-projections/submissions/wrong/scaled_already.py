import numpy as np


def project(x, Wq, Wk, Wv):
    d = Wq.shape[1]
    return x @ Wq / np.sqrt(d), x @ Wk, x @ Wv
