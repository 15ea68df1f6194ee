import numpy as np


def attention(Q, K, V):
    s = Q.dot(K.transpose()) / Q.shape[1] ** 0.5
    e = np.exp(s - np.amax(s, axis=1, keepdims=True))
    z = e.sum(axis=1, keepdims=True)
    return (e.dot(V)) / z, e / z
