import numpy as np


def scaled_scores(Q, K):
    def score(q, k):
        return round(float(q @ k) / len(q) ** 0.5, 4)

    return np.array([[score(q, k) for k in K] for q in Q])
