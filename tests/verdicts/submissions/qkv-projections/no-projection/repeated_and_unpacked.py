import numpy as np


def project(x, Wq, Wk, Wv):
    q, k, v = np.repeat(x[None], 3, axis=0)
    return q, k, v
