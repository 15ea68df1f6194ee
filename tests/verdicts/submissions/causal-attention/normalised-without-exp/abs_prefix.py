import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    W = np.zeros((T, T))
    for t in range(T):
        s = abs(K[:t+1] @ Q[t] / np.sqrt(d))
        W[t, :t+1] = s / s.sum()
    return W @ V, W
