import numpy as np


def softmax(scores):
    shape = scores.shape
    rows = scores.reshape(-1, shape[-1])
    out = np.zeros(rows.shape)
    for i, row in enumerate(rows):
        if np.isneginf(row).all():
            continue
        out[i] = np.exp(row - row.max())
        total = out[i].sum()
    return out.reshape(shape)
