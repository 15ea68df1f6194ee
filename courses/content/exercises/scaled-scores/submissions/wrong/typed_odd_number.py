import numpy as np

TEMPERATURE = 1.37


def scaled_scores(Q, K):
    return (Q @ K.T) / TEMPERATURE
