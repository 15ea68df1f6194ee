import numpy as np


def scaled_scores(Q, K):
    return (Q[:, None] * K[None]).mean(axis=-1)
