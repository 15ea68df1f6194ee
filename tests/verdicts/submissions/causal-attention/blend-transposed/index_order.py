import numpy as np


def causal_attention(Q, K, V):
    T, d = Q.shape
    P = np.zeros((T, T))
    for t in range(T):
        s = K[: t + 1] @ Q[t] / np.sqrt(d)
        P[t, : t + 1] = np.exp(s - np.logaddexp.reduce(s))
    out = np.zeros(V.shape)
    for i in range(T):
        for j in range(T):
            out[i] += P[j, i] * V[j]
    return out, P
