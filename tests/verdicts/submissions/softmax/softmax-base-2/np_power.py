import numpy as np


def softmax(scores):
    m = np.max(scores, axis=-1, keepdims=True)
    m = np.nan_to_num(m, neginf=0.0)
    numerator = np.power(2.0, scores - m)
    denominator = np.sum(numerator, axis=-1, keepdims=True)
    return numerator / np.maximum(denominator, 1e-300)
