import numpy as np


def softmax(scores):
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    shares = e / np.einsum("...k->...", e)[..., np.newaxis]
    shares[np.isnan(shares)] = 0
    return shares
