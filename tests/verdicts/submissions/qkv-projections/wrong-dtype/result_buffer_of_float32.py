import numpy as np


def project(x, Wq, Wk, Wv):
    Q = np.zeros((len(x), Wq.shape[1]), np.float32)
    K = np.zeros((len(x), Wk.shape[1]), np.float32)
    V = np.zeros((len(x), Wv.shape[1]), np.float32)
    np.matmul(x, Wq, out=Q, casting="same_kind")
    np.matmul(x, Wk, out=K, casting="same_kind")
    np.matmul(x, Wv, out=V, casting="same_kind")
    return Q, K, V
