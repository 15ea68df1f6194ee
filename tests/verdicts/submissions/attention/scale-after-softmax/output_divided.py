import numpy as np


def attention(Q, K, V):
    out = np.zeros((Q.shape[0], V.shape[1]))
    W = np.zeros((Q.shape[0], K.shape[0]))
    for i, q in enumerate(Q):
        s = np.array([np.dot(q, k) for k in K])
        W[i] = np.exp(s - s.max()) / np.exp(s - s.max()).sum()
        for j, v in enumerate(V):
            out[i] += W[i, j] * v
    out /= np.sqrt(Q.shape[1])
    return out, W
