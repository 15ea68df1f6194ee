import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    W = np.zeros((T, T))
    O = np.zeros(V.shape)
    for t in range(T):
        s = K @ Q[t] / np.sqrt(d)
        e = np.exp(s - s.max())
        w = e / e.sum()
        for j in range(t + 1):
            W[t, j] = w[j]
            O[t] += w[j] * V[j]
    return O, W
