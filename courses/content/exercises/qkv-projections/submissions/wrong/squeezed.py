import numpy as np


def project(x, Wq, Wk, Wv):
    return tuple(np.squeeze(x @ W) for W in (Wq, Wk, Wv))
