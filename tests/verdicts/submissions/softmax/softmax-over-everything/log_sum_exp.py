import numpy as np


def softmax(scores):
    log_total = np.logaddexp.reduce(scores, axis=None)
    return np.exp(scores - log_total)
