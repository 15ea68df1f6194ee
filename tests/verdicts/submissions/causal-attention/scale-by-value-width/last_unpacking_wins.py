import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    T, d = V.shape
    S = np.dot(Q, K.T) / np.sqrt(d)
    S = np.where(np.tri(T) > 0, S, -np.inf)
    W = np.exp(S - S.max(axis=1).reshape(T, 1))
    W = W / W.sum(axis=1).reshape(T, 1)
    return np.dot(W, V), W
