import numpy as np


def multiply(A, B):
    rows, inner, cols = len(A), len(B), len(B[0])
    C = [[0.0] * cols for _ in range(rows)]
    for i in range(rows):
        for j in range(cols):
            for k in range(inner):
                C[i][j] += float(A[i][k]) * float(B[k][j])
    return np.array(C)


def project(x, Wq, Wk, Wv):
    return (multiply(x, Wq), multiply(x, Wk), multiply(x, Wv))
