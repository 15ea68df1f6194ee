import math
import numpy as np


class Scorer:
    def __init__(self, width):
        self.scale = 1.0 / math.sqrt(width)

    def __call__(self, q, k):
        return self.scale * math.fsum(float(a) * float(b) for a, b in zip(q, k))


def scaled_scores(Q, K):
    score = Scorer(Q.shape[1])
    return np.array([[score(q, k) for k in K] for q in Q])
