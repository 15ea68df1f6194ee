import numpy as np


def project(x, Wq, Wk, Wv):
    x = x.astype(np.float32)
    return tuple(x @ W.astype(np.float32) for W in (Wq, Wk, Wv))
