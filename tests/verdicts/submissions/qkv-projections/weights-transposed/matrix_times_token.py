import numpy as np


def project(x, Wq, Wk, Wv):
    q = np.stack([Wq @ token for token in x])
    k = np.stack([Wk @ token for token in x])
    v = np.stack([Wv @ token for token in x])
    return q, k, v
