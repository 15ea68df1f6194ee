import numpy as np


def scaled_scores(Q, K):
    out = []
    for q in Q:
        for k in K:
            out.append(q @ k / np.sqrt(len(q)))
    return np.array(out)
