import numpy as np


def scaled_scores(Q, K):
    # already subtract the maximum here, softmax will want it
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    return S - S.max(axis=1, keepdims=True)
