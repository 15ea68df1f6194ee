import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    W = np.zeros((T, T))
    O = np.zeros(V.shape)
    for t in range(T - 1, -1, -1):
        V[t + 1 :] = 0  # hide the future
        s = K[: t + 1] @ Q[t] / np.sqrt(d)
        W[t, : t + 1] = np.exp(s - s.max())
        W[t] /= W[t].sum()
        O[t] = W[t] @ V
    return O, W
