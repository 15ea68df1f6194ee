import numpy as np


def scaled_scores(Q, K):
    out = np.zeros((len(Q), len(K)))
    for i, q in enumerate(Q):
        for j, k in enumerate(K):
            out[i, j] = -np.linalg.norm(q - k)
    return out / np.sqrt(Q.shape[1])
