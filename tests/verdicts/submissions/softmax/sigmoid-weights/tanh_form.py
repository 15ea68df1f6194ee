import numpy as np


def softmax(scores):
    """Squashes every score to a share between 0 and 1."""
    return 0.5 + 0.5 * np.tanh(scores / 2)
