import numpy as np


def project(x, Wq, Wk, Wv):
    # square root of the width, as in the paper ... of the whole product?
    with np.errstate(invalid="ignore"):
        return np.sqrt(x @ Wq), np.sqrt(x @ Wk), np.sqrt(x @ Wv)
