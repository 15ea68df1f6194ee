import numpy as np


def project(x, Wq, Wk, Wv):
    T = len(x)
    out = [np.full((T, W.shape[1]), float("nan")) for W in (Wq, Wk, Wv)]
    for t in range(1, T):
        for M, W in zip(out, (Wq, Wk, Wv)):
            M[t] = x[t] @ W
    return out
