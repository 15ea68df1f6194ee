import numpy as np


def softmax(scores):
    return scores / scores.sum(axis=-1, keepdims=True)
