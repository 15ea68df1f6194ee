from numpy import einsum, sqrt


def scaled_scores(Q, K):
    d, T = Q.shape
    return einsum("qf,kf->qk", Q, K) / sqrt(d)
