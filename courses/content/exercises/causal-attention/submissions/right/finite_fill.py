import numpy as np

NEG = -1e15


def causal_attention(Q, K, V):
    scores = Q.dot(K.T) / (K.shape[1] ** 0.5)
    scores[np.triu_indices(len(scores), k=1)] = NEG
    scores -= scores.max(axis=1, keepdims=True)
    p = np.exp(scores)
    p /= p.sum(axis=1, keepdims=True)
    return p.dot(V), p
