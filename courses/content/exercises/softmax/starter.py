import numpy as np


def softmax(scores):
    """Shares that sum to 1 along the last axis.

    scores  (..., Tk)  any leading axes; may hold -inf

    Returns an array of the same shape.
    """
    shares = ...
    return shares
