import numpy as np


def project(x, Wq, Wk, Wv):
    Q = np.einsum("td,dk->tk", x, Wq)
    K = np.einsum("td,dk->tk", x, Wq)
    V = np.einsum("td,dk->tk", x, Wv)
    return Q, K, V
