import numpy as np


def mm(A, B):
    return np.array([[sum(a * b for a, b in zip(row, col)) for col in zip(*B)] for row in A])


def project(x, Wq, Wk, Wv):
    return mm(x, Wq), mm(x, Wq), mm(x, Wv)
