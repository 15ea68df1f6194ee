import numpy as np


def project(x, Wq, Wk, Wv):
    def through(W):
        flat = []
        for row in x:
            flat.extend(row @ W)
        return np.array(flat)

    return through(Wq), through(Wk), through(Wv)
