import numpy as np


def softmax(scores):
    log_z = np.logaddexp.reduce(scores, axis=-1, keepdims=True)
    return np.exp(scores - log_z)
