import numpy as np


def scaled_scores(Q, K, temperature=11.3137):
    # sqrt(128), the usual head size
    return np.divide(np.matmul(Q, K.T), temperature)
