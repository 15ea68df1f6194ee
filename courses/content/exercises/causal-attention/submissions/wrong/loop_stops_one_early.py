import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    P = np.zeros((T, T))
    for i in range(1, T):
        s = K[:i] @ Q[i] / np.sqrt(d)
        e = np.exp(s - s.max())
        P[i, :i] = e / e.sum()
    return P @ V, P
