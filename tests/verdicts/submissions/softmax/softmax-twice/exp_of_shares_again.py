import numpy as np


def softmax(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    shares = np.exp(shifted) / np.exp(shifted).sum(axis=-1, keepdims=True)
    # and now the softmax formula from the statement
    return np.exp(shares) / np.exp(shares).sum(axis=-1, keepdims=True)
