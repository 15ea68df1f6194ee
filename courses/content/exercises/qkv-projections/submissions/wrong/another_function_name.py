import numpy as np


def projection(x, Wq, Wk, Wv):
    return x @ Wq, x @ Wk, x @ Wv
