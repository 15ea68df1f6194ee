import numpy as np


def project(x, Wq, Wk, Wv):
    return x @ Wq, x @ WK, x @ Wv
