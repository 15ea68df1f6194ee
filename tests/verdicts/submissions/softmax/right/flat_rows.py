import numpy as np


def softmax(scores):
    shape = scores.shape
    rows = scores.reshape(-1, shape[-1]).copy()
    for row in rows:
        top = row.max()
        if np.isneginf(top):
            row[:] = 0
            continue
        row -= top
        np.exp(row, out=row)
        row /= row.sum()
    return rows.reshape(shape)
