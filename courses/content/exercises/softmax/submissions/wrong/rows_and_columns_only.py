import numpy as np


def softmax(scores):
    rows, cols = scores.shape
    out = np.zeros((rows, cols))
    for i in range(rows):
        top = scores[i].max()
        if top == -np.inf:
            continue
        for j in range(cols):
            out[i, j] = np.exp(scores[i, j] - top)
        out[i] /= out[i].sum()
    return out
