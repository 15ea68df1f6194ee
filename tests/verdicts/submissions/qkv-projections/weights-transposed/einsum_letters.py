import numpy as np


def project(x, Wq, Wk, Wv):
    Q, K, V = (np.einsum("td,kd->tk", x, W) for W in (Wq, Wk, Wv))
    return Q, K, V
