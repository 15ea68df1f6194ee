import numpy as np


def product(rows, matrix):
    columns = list(zip(*matrix.tolist()))
    for row in rows.tolist():
        yield [sum(a * b for a, b in zip(row, column)) for column in columns]


def project(x, Wq, Wk, Wv):
    return [np.array(list(product(x, W))) for W in (Wq, Wk, Wv)]
