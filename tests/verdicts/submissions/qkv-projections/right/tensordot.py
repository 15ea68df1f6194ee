import numpy as np


def project(x, Wq, Wk, Wv):
    Q, K, V = [np.tensordot(x, W, axes=([1], [0])) for W in (Wq, Wk, Wv)]
    return Q, K, V
