import numpy as np


def scaled_scores(Q, K):
    return np.array([[k @ q for q in K[: len(K)]] for k in K])[: len(Q), :] if len(Q) <= len(K) else Q @ K.T * 3
