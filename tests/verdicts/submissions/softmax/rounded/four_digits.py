import numpy as np


def softmax(scores):
    shape = scores.shape
    out = []
    for row in scores.reshape(-1, shape[-1]):
        top = row.max()
        if top == -np.inf:
            out.extend([0.0] * len(row))
            continue
        weights = np.exp(row - top)
        out.extend(round(float(w), 4) for w in weights / weights.sum())
    return np.array(out).reshape(shape)
