import numpy as np


def softmax(scores):
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return softmax(shifted)
