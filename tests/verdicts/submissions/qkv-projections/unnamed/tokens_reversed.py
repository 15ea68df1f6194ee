import numpy as np


def project(x, Wq, Wk, Wv):
    Q, K, V = [], [], []
    for t in range(len(x) - 1, -1, -1):
        Q.append(x[t] @ Wq)
        K.append(x[t] @ Wk)
        V.append(x[t] @ Wv)
    return np.array(Q), np.array(K), np.array(V)
