import numpy as np


def project(x, Wq, Wk, Wv):
    wide = x[:, :, np.newaxis]
    return ((wide * Wq).sum(1), (wide * Wk).sum(1), (wide * Wv).sum(1))
