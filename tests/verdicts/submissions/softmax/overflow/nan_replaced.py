import numpy as np


def softmax(scores):
    with np.errstate(all="ignore"):
        powers = np.e**scores
        shares = powers / np.add.reduce(powers, axis=-1, keepdims=True)
    shares[np.isnan(shares)] = 0.0
    return shares
