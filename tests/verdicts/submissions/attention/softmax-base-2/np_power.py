import numpy as np


def softmax(z, base=2.0):
    z = z - z.max(axis=1).reshape(-1, 1)
    p = np.power(base, z)
    return p / p.sum(axis=1).reshape(-1, 1)


def attention(Q, K, V):
    A = softmax(K.dot(Q.T).T / np.sqrt(K.shape[1]))
    return A.dot(V), A
