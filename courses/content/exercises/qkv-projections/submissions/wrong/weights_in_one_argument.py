import numpy as np


def project(x, weights):
    Wq, Wk, Wv = weights
    return x @ Wq, x @ Wk, x @ Wv
