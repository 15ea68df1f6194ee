import numpy as np


def project(x, Wq, Wk, Wv):
    stacked = np.vstack([Wq.T, Wk.T, Wv.T])
    columns = stacked @ x.T
    d = Wq.shape[1]
    q, k, v = np.split(columns, (d, d + Wk.shape[1]))
    return q.T, k.T, v.T
