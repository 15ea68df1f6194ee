def scaled_scores(Q, K):
    return -(Q @ K.T)
