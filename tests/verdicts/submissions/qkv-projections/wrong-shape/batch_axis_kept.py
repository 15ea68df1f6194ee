import numpy as np


def project(x, Wq, Wk, Wv):
    batch = x[np.newaxis, ...]
    return tuple(np.einsum("btd,dk->btk", batch, W) for W in (Wq, Wk, Wv))
