import numpy as np


def project(x, Wq, Wk, Wv):
    return x @ Wk, x @ Wq, x @ Wk
