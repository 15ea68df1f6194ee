import numpy as np


def project(x, Wq, Wk, Wv):
    # float32 is plenty for neural networks
    half = [a.astype(np.float32) for a in (x, Wq, Wk, Wv)]
    q, k, v = (half[0] @ w for w in half[1:])
    return q.astype(float), k.astype(float), v.astype(float)
