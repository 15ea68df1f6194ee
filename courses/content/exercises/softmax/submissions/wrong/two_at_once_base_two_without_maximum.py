import numpy as np


def softmax(scores):
    p = 2.0 ** scores
    return p / p.sum(axis=-1, keepdims=True)
