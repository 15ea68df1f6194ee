import numpy as np


def scaled_scores(Q, K):
    print(Q @ K.T / np.sqrt(Q.shape[-1]))
