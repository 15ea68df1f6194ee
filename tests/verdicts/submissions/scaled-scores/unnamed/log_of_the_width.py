import math


def scaled_scores(Q, K):
    return Q @ K.T / math.log2(1 + Q.shape[1])
