import numpy as np


def softmax(scores):
    # the best one gets everything
    rank = np.argsort(np.argsort(-scores, axis=-1, kind="stable"), axis=-1, kind="stable")
    return np.where(rank == 0, 1.0, 0.0)
