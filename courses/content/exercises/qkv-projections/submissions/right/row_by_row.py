import numpy as np


def project(x, Wq, Wk, Wv):
    Q, K, V = [], [], []
    for token in x:
        Q.append(token @ Wq)
        K.append(token @ Wk)
        V.append(token @ Wv)
    return np.stack(Q), np.stack(K), np.stack(V)
