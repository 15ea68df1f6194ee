import numpy as np


def scaled_scores(Q, K):
    scores = np.inner(Q, K) / np.sqrt(Q.shape[1])
    K.sort(axis=0)  # to look at the keys in order
    print(K[:3])
    return scores
