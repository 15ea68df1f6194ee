import numpy as np


def scaled_scores(Q, K):
    # (heads, Tq, Tk) with one head
    q, k = Q.reshape(1, *Q.shape), K.reshape(1, *K.shape)
    return np.einsum("hqd,hkd->hqk", q, k) / np.sqrt(Q.shape[1])
