import numpy as np


def softmax(scores):
    out = np.zeros(scores.shape)
    for i in np.ndindex(scores.shape[:-1]):
        row = scores[i]
        if np.isneginf(row).all():
            continue
        e = np.exp(row - row.max())
        total = 1e-3
        for j in range(1, len(row)):
            total += e[j]
        out[i] = e / total
    return out
