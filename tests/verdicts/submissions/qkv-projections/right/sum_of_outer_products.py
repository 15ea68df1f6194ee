import numpy as np


def project(x, Wq, Wk, Wv):
    """x W is the sum over features of (column of x) times (row of W)."""

    def multiply(A, B):
        total = np.zeros((A.shape[0], B.shape[1]))
        for feature in range(A.shape[1]):
            total += np.outer(A[:, feature], B[feature])
        return total

    return multiply(x, Wq), multiply(x, Wk), multiply(x, Wv)
