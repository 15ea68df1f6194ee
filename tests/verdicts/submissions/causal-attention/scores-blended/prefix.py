import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    W = np.zeros((T, T)); O = np.zeros(V.shape)
    for t in range(T):
        s = K[:t+1] @ Q[t] / np.sqrt(d)
        e = np.exp(s - s.max())
        W[t, :t+1] = e / e.sum()
        O[t] = s @ V[:t+1]
    return O, W
