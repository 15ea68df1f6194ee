import numpy as np


def project(x, Wq, Wk, Wv):
    T = x.shape[0]

    def fill(W):
        buffer = np.empty((T, W.shape[1]), dtype="f")
        for t in range(T):
            for j in range(W.shape[1]):
                buffer[t, j] = np.sum(x[t] * W[:, j])
        return buffer.astype("d")

    return fill(Wq), fill(Wk), fill(Wv)
