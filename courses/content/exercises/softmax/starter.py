import numpy as np


def softmax(scores):
    """Turn scores into shares that sum to 1 along the last axis.

    scores  (..., Tk)  any number of leading axes; may hold -inf

    Returns an array of the same shape.
    """
    shares = ...
    return shares
