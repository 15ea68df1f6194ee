def scaled_scores(Q, K):
    scores = K.dot(Q.T).T
    number_of_keys = scores.shape[1]
    scores = scores / number_of_keys
    return scores
