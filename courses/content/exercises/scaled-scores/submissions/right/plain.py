import numpy as np

def scaled_scores(Q, K):
    d_k = K.shape[1]
    return np.dot(Q, K.T) / d_k ** 0.5
