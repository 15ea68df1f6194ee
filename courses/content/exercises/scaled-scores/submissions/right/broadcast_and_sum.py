import numpy as np


def scaled_scores(Q, K):
    products = Q[:, None, :] * K[None, :, :]      # (Tq, Tk, d)
    return products.sum(axis=-1) * (1 / np.sqrt(products.shape[-1]))
