import numpy as np


def scaled_scores(Q, K):
    table = np.empty((len(Q), len(K)), dtype="float32")
    root = len(Q[0]) ** 0.5
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            table[i, j] = q @ k / root
    return table.astype("float64")
