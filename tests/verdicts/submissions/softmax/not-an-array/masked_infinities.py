import numpy as np


import numpy.ma as ma


def softmax(scores):
    hidden = ma.masked_equal(scores, -np.inf)
    e = ma.exp(hidden - hidden.max(axis=-1, keepdims=True))
    return ma.divide(e, e.sum(axis=-1, keepdims=True))
