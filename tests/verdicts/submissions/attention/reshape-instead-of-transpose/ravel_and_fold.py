import numpy as np


def attention(Q, K, V):
    Tk, d = K.shape
    Kt = K.ravel().reshape(d, Tk)
    scores = np.einsum("qd,dk->qk", Q, Kt) / np.sqrt(d)
    scores -= scores.max(axis=1, keepdims=True)
    e = np.exp(scores)
    w = e / e.sum(axis=1, keepdims=True)
    return np.einsum("qk,kv->qv", w, V), w
