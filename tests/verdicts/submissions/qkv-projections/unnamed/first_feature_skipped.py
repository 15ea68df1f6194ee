import numpy as np


def matmul(A, B):
    C = np.zeros((len(A), B.shape[1]))
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            for f in range(1, A.shape[1]):
                C[i, j] += A[i, f] * B[f, j]
    return C


def project(x, Wq, Wk, Wv):
    return matmul(x, Wq), matmul(x, Wk), matmul(x, Wv)
