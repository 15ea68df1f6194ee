import numpy as np


def softmax(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    for row in rows:  # these are views
        if np.isneginf(row).all():
            row[:] = 0.0
            continue
        row -= row.max()
        np.exp(row, out=row)
        row /= row.sum()
    return rows.reshape(scores.shape).copy()
