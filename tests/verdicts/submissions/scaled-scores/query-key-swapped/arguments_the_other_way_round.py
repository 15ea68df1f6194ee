from math import sqrt


def scaled_scores(K, Q):
    S = Q @ K.T
    S /= sqrt(K.shape[1])
    return S
