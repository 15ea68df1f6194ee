import numpy as np

def project(x, Wq, Wk, Wv):
    k = np.dot(x, Wk)
    q = np.dot(x, Wq)
    v = np.dot(x, Wv)
    return k, q, v
