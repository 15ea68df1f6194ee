import numpy as np


def attention(Q, K, V):
    q, k, v = (np.array(m, dtype=np.longdouble) for m in (Q, K, V))
    s = q.dot(k.T) / np.sqrt(np.longdouble(q.shape[1]))
    p = np.exp(s - s.max(axis=1, keepdims=True))
    p = p / p.sum(axis=1, keepdims=True)
    return p.dot(v), p
