from math import sqrt


def scaled_scores(Q, K):
    d = len(Q[0])
    return [[float(q @ k) / sqrt(d) for k in K] for q in Q]
