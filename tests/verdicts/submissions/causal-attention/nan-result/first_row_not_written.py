import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    W = np.full((T, T), np.nan)
    for t in range(1, T):
        s = K[: t + 1] @ Q[t] / np.sqrt(d)
        W[t] = 0
        W[t, : t + 1] = np.exp(s - s.max()) / np.exp(s - s.max()).sum()
    return W @ V, W
