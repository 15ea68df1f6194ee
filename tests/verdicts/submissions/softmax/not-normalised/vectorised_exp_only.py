import math

import numpy as np


def softmax(scores):
    safe = np.vectorize(lambda s, m: 0.0 if s == -np.inf else math.exp(s - m))
    return safe(scores, scores.max(axis=-1, keepdims=True))
