import numpy as np


def row_sums(a):
    return np.einsum("...j->...", a)


def softmax(scores):
    largest = scores.max(axis=-1, keepdims=True)
    largest = np.where(np.isfinite(largest), largest, 0.0)
    a = np.exp(scores - largest)
    sums = row_sums(a)
    sums[sums == 0] = 1 if np.ndim(sums) else sums
    return a / sums
