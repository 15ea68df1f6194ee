import numpy as np


def softmax(scores):
    rows = scores.reshape(-1, scores.shape[-1])
    out = []
    for row in rows:
        if row.max() == -np.inf:
            out.append(np.zeros(len(row)))
        else:
            e = np.exp(row - row.max())
            out.append(e / e.sum())
    return np.concatenate(out)
