import numpy as np


def project(x, Wq, Wk, Wv):
    h = (x - x.mean(axis=-1, keepdims=True)) / (x.std(axis=-1, keepdims=True) + 1e-5)
    return h @ Wq, h @ Wk, h @ Wv
