import numpy as np


def softmax(scores):
    # shares must not be negative, so start every row at 0
    lifted = scores - np.amin(scores, axis=-1)[..., None]
    return lifted / np.sum(lifted, axis=-1)[..., None]
