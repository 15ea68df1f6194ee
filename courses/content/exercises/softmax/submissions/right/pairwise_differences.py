import numpy as np


def softmax(scores):
    # p_j = 1 / sum_k exp(s_k - s_j): no maximum needed, inf in the denominator means a share of 0
    with np.errstate(over="ignore", invalid="ignore"):
        difference = scores[..., None, :] - scores[..., :, None]
        p = 1.0 / np.exp(difference).sum(axis=-1)
    return np.where(np.isneginf(scores), 0.0, p)
