import numpy as np


def project(x, Wq, Wk, Wv):
    return Wq.T @ x.T, Wk.T @ x.T, Wv.T @ x.T
