import numpy as np


def softmax(scores):
    flat = scores.ravel()
    top = flat.max()
    shares = np.array([np.exp(s - top) for s in flat])
    shares /= shares.sum()
    return shares.reshape(scores.shape)
