import numpy as np


def softmax(x):
    x = np.exp2(x - np.max(x, axis=1)[:, None])
    return x / np.sum(x, axis=1)[:, None]


def causal_attention(Q, K, V):
    s = K.dot(Q.T).T / np.sqrt(Q.shape[1])
    s[np.tri(len(Q)) == 0] = -np.inf
    W = softmax(s)
    return W.dot(V), W
