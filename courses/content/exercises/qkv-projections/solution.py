import numpy as np


def project(x, Wq, Wk, Wv):
    """Q = x Wq, K = x Wk, V = x Wv: the same tokens through three matrices."""
    return x @ Wq, x @ Wk, x @ Wv
