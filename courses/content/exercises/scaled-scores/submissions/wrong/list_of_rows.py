import numpy as np


def scaled_scores(Q, K):
    return [K @ q / np.sqrt(len(q)) for q in Q]
