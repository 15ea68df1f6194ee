def scaled_scores(Q, K):
    return Q @ K.reshape(Q.shape[1], -1)
