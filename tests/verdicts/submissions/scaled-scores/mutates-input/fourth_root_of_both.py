import math


def scale(M):
    M *= 1 / math.sqrt(math.sqrt(M.shape[1]))
    return M


def scaled_scores(Q, K):
    q = scale(Q)
    k = scale(K)
    return q @ k.T
