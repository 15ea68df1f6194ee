import numpy as np


def causal_attention(Q, K, V):
    T = Q.shape[0]
    output = np.zeros_like(V)
    weights = np.zeros((T, T))
    for t in range(T):
        seen = slice(0, t + 1)
        s = K[seen] @ Q[t] / np.sqrt(Q.shape[1])
        e = np.exp(s - s.max())
        weights[t, seen] = e / e.sum()
        output[t] = weights[t, seen] @ V[seen]
    return output, weights
