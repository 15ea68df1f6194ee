import numpy as np


def project(x, Wq, Wk, Wv):
    biggest = np.abs(x).max()
    x /= biggest  # keep numbers small
    q, k, v = (x @ W * biggest for W in (Wq, Wk, Wv))
    x *= biggest
    return q, k, v
