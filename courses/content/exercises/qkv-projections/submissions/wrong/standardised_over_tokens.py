import numpy as np


def project(x, Wq, Wk, Wv):
    h = (x - x.mean(axis=0)) / x.std(axis=0)
    return h @ Wq, h @ Wk, h @ Wv
