import numpy as np


def softmax(scores):
    shares = np.empty(scores.shape)
    negative = scores < 0
    z = np.exp(scores[negative])
    shares[negative] = z / (z + 1)
    shares[~negative] = 1 / (1 + np.exp(-scores[~negative]))
    return shares
