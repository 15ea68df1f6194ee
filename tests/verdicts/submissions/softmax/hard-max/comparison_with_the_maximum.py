import numpy as np


def softmax(scores):
    winners = scores == scores.max(axis=-1, keepdims=True)
    winners &= np.isfinite(scores)
    return winners.astype(float)
