import numpy as np


def project(x, Wq, Wk, Wv):
    x = x - x.mean(axis=0)
    return x @ Wq, x @ Wk, x @ Wv
