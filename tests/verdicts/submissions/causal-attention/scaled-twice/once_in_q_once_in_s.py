# mistakes: scaled-twice, scale-by-width
import numpy as np


def causal_attention(Q, K, V):
    q = Q * Q.shape[1] ** -0.5
    W = np.zeros((len(q), len(K)))
    for t in range(len(q)):
        s = np.dot(K[: t + 1], q[t])
        s = s / np.sqrt(Q.shape[1])
        W[t, : t + 1] = np.exp(s - np.logaddexp.reduce(s))
    return np.dot(W, V), W
