import numpy as np


def dot(u, v):
    return round(sum(a * b for a, b in zip(u, v)), 2)


def project(x, Wq, Wk, Wv):
    return [np.array([[dot(token, column) for column in W.T] for token in x]) for W in (Wq, Wk, Wv)]
