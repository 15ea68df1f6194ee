import numpy as np


def project(x, Wq, Wk, Wv):
    def tidy(M):
        return np.array([[float(f"{v:.4f}") for v in row] for row in M])

    return tidy(np.dot(x, Wq)), tidy(np.dot(x, Wk)), tidy(np.dot(x, Wv))
