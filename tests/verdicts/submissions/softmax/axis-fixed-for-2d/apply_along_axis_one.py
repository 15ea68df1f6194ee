import numpy as np


def softmax(scores):
    def row(r):
        r = r - (r.max() if r.max() > -np.inf else 0)
        p = np.exp(r)
        return p / p.sum() if p.sum() else p

    return np.apply_along_axis(row, 1, scores)
