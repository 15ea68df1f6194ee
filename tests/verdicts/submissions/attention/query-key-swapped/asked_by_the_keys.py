import numpy as np


def attention(Q, K, V):
    d = K.shape[1]
    scores = np.zeros((len(K), len(Q)))
    for i, k in enumerate(K):
        for j, q in enumerate(Q):
            scores[i, j] = k @ q / np.sqrt(d)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights @ V, weights
