import numpy as np


def scaled_scores(Q, K):
    return (Q * K).sum(-1) / np.sqrt(Q.shape[-1])
