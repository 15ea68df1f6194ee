def scaled_scores(Q, K):
    return Q @ K.T / np.sqrt(Q.shape[-1])
