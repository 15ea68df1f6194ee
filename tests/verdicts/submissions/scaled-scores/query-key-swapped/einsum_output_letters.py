import numpy as np


def scaled_scores(Q, K):
    d = Q.shape[-1]
    return np.einsum("qd,kd->kq", Q, K) * d ** -0.5
