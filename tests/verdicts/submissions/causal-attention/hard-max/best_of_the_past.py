import numpy as np


def causal_attention(Q, K, V):
    T = len(Q)
    W = np.zeros((T, T))
    O = np.empty_like(V)
    for t in range(T):
        best = max(range(t + 1), key=lambda j: Q[t] @ K[j] / np.sqrt(Q.shape[1]))
        W[t, best] = 1.0
        O[t] = V[best]
    return O, W
