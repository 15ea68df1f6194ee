import numpy as np


def scaled_scores(Q, K):
    products = Q[:, np.newaxis, :] * K[np.newaxis, :, :]
    return products.sum(axis=-1, keepdims=True) / np.sqrt(products.shape[-1])
